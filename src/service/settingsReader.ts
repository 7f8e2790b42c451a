/** Reads individual settings from the environment, and collects their problems as sentences for the operator. */
import { isIP } from 'node:net'

export type Environment = Readonly<Record<string, string | undefined>>

/** The address on which a server listens. Port 0 picks any free port. */
export type ListenAddress = Readonly<{ host: string; port: number }>

export type SettingsReader = ReturnType<typeof createSettingsReader>

/** @param readFile returns the text of the file in a `…_FILE` setting; throws when it cannot be read */
export function createSettingsReader(environment: Environment, readFile: (path: string) => string) {
  const problems: string[] = []
  const refuse = (...sentences: readonly string[]): void => {
    problems.push(...sentences)
  }
  const value = (name: string): string => environment[name]?.trim() ?? ''

  return {
    /** The problems so far. */
    problems: problems as readonly string[],
    refuse,
    value,

    needed: (name: string, what: string): string => {
      if (value(name) === '') refuse(`${name} is missing; it has to be ${what}.`)
      return value(name)
    },

    /**
     * A secret from its variable, or from the file in `<name>_FILE`; null after a problem. Problems never contain the
     * secret.
     */
    secret: (name: string): string | null => {
      const file = value(`${name}_FILE`)
      if (file === '') return value(name)
      if (value(name) !== '') refuse(`${name} and ${name}_FILE are both set; keep one of them.`)
      else
        try {
          const text = readFile(file).trim()
          if (text !== '') return text
          refuse(`${name}_FILE names ${file}, which is empty.`)
        } catch (error) {
          const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
          refuse(`${name}_FILE names ${file}, which cannot be read (${code}).`)
        }
      return null
    },

    /** Reads one of `values`. The default is `otherwise`, or the first value. */
    oneOf: <const Value extends string>(
      name: string,
      values: readonly [Value, ...Value[]],
      otherwise: Value = values[0],
      words = values.join(' or '),
    ): Value => {
      const text = value(name) || otherwise
      const found = values.find((each) => each === text)
      if (found === undefined) refuse(`${name} is not ${words}.`)
      return found ?? otherwise
    },

    /** Splits a setting at spaces and commas. Omits parts for which `problemOf` returns a problem. */
    list: (name: string, problemOf: (part: string) => string | null): readonly string[] => {
      const parts = value(name)
        .split(/[\s,]+/)
        .filter(Boolean)
      return parts.filter((part) => {
        const problem = problemOf(part)
        if (problem !== null) refuse(`${name}: ${problem}`)
        return problem === null
      })
    },

    address: (name: string, otherwise: string): ListenAddress => {
      const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(value(name) || otherwise) ?? []
      const bare = host.replace(/^\[(.*)\]$/, '$1')
      const isHost = isIP(bare) === 6 ? bare !== host : /^[a-z0-9.-]+$/i.test(host)
      if (!isHost || Number(port) > 65_535) refuse(`${name} is not an address and port such as ${otherwise}.`)
      return { host: bare, port: Number(port) }
    },
  }
}
