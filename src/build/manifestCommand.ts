import { writeManifest } from './writeManifest.ts'

// npm run manifest: writes an installation's manifest, or compares it with a deployed one.

const args = process.argv.slice(2)
try {
  const text = await writeManifest(args, process.env)
  // Without arguments, `text` is the usage, which goes to standard error.
  if (args.length > 0) process.stdout.write(text)
  else {
    process.stderr.write(text)
    process.exitCode = 2
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
