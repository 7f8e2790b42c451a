// Replaces MicrosoftAjax.js, which Microsoft's client library loads from another host and which is not in any package.
// Defines only the names that the library uses, with the behaviour that it expects. Served as a classic script.
{
  type Named = Record<string, unknown>
  const page = globalThis as unknown as Named

  const failure = (name: string) => (first?: unknown, message?: unknown) => {
    const text = typeof message === 'string' ? message : typeof first === 'string' ? first : name
    return Object.assign(new Error(`${name}: ${text}`), { name, paramName: first })
  }
  Object.assign(Error, {
    create: (message: string) => new Error(message),
    argument: failure('Sys.ArgumentException'),
    argumentNull: failure('Sys.ArgumentNullException'),
    argumentOutOfRange: failure('Sys.ArgumentOutOfRangeException'),
    argumentType: failure('Sys.ArgumentTypeException'),
    argumentUndefined: failure('Sys.ArgumentUndefinedException'),
    invalidOperation: failure('Sys.InvalidOperationException'),
    notImplemented: failure('Sys.NotImplementedException'),
    parameterCount: failure('Sys.ParameterCountException'),
  })

  Object.assign(Function, {
    // In the original, these functions only check arguments of calls within the library.
    _validateParams: () => null,
    _validateParameter: () => null,
    registerNamespace(path: string) {
      let inside = page
      for (const name of path.split('.')) inside = (inside[name] ??= {}) as Named
    },
  })
  Object.defineProperty(Function.prototype, 'registerClass', {
    configurable: true,
    value(this: unknown) {
      return this
    },
  })
  page['Type'] = Function

  const silent = () => undefined
  page['Sys'] = {
    StringBuilder: class {
      #parts: string[] = []
      append(text: unknown) {
        this.#parts.push(String(text))
        return this
      }
      toString() {
        return this.#parts.join('')
      }
    },
    Debug: { trace: silent, traceDump: silent, fail: silent, assert: silent },
    Browser: { agent: 'other', InternetExplorer: 'InternetExplorer', name: 'other', version: 0 },
    Serialization: {
      JavaScriptSerializer: {
        serialize: (value: unknown) => JSON.stringify(value),
        deserialize: (text: string): unknown => JSON.parse(text),
      },
    },
  }
}
