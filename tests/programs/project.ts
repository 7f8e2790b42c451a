import { spawn, type SpawnOptions } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
type Manifest = Readonly<{
  scripts: Readonly<Record<string, string>>
  programs: Readonly<{ shipped: readonly string[]; development: readonly string[] }>
}>
export const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest

/** A small project with the files of `src/programs` that ship. It is inside of this one, whose esbuild it finds. */
export type Project = Readonly<{
  folder: string
  /** Writes a file, and the folders above it. */
  write: (file: string, content: string | object) => void
  remove: () => void
}>

export function createProject(programs: Manifest['programs'], more: object = {}): Project {
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  const folder = mkdtempSync(join(ROOT, 'dist/project-'))
  const write = (file: string, content: string | object) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content))
  }
  cpSync(join(ROOT, 'src/programs'), join(folder, 'src/programs'), { recursive: true })
  write('package.json', { name: 'project', version: '1.0.0', type: 'module', programs, ...more })
  return { folder, write, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Starts a process and collects what it says; `ended` resolves with that when all of it has ended. */
export function start(folder: string, command: string, args: readonly string[], options: SpawnOptions = {}) {
  const child = spawn(command, args, { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'], ...options })
  const output = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...output }))
  })
  return { child, ended }
}
