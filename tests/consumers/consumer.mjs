// The consumer, composed of its published packages as its deployments compose them, with each of the three ways of wiring.
// It must not change what the packages do, but where WIRING.md says so: what is tested is what others run.
import { readFileSync } from 'node:fs'
import { Context } from '@deepseek-ai/cordis'
import BashExecutor from '@deepseek-ai/dsh-bash-sandbox'
import SandboxProvider from '@deepseek-ai/dsh-sandbox-local'
import SandboxPolicy from '@deepseek-ai/dsh-sandbox-policy'
import Subprocess from '@deepseek-ai/dsh-subprocess-local'
import { parse } from 'yaml'

// Each: the provider's configuration, and the plugin that is loaded after it.
const wirings = {
  replaced: async () => ({ config: {} }),
  rung: async () => ({ config: {}, plugin: await import('./rung.mjs') }),
  runner: async () => ({ config: parse(readFileSync(new URL('runner.yml', import.meta.url), 'utf8'))[0].config }),
}

// `config` replaces parts of the wiring's.
export async function compose(wiring, workspace, config = {}) {
  const wired = await wirings[wiring]()
  const ctx = new Context()
  await ctx.plugin(Subprocess, {})
  await ctx.plugin(SandboxProvider, { ...wired.config, ...config })
  if (wired.plugin) await ctx.plugin(wired.plugin)
  await ctx.plugin(SandboxPolicy, { mode: 'read-only', workspaceRoot: workspace })
  await ctx.plugin(BashExecutor, { graceMs: 1000 })
  return ctx
}

const unavailable = (detail) => ({ unavailable: true, detail })

async function guarded(start) {
  try {
    return await start()
  } catch (error) {
    if (error.code !== 'SANDBOX_UNAVAILABLE') throw error
    return unavailable(error.message)
  }
}

const settled = ({ exitCode, signal, sandbox }, stdout, stderr) =>
  ({ unavailable: false, exitCode, signal, stdout, stderr, denied: sandbox.denied, enforcement: sandbox.enforcement })

// The two ways to run a command: what came of it, or that there was no sandbox for it, in one form. `stopWhen` is a promise.
export const ways = {
  foreground: (ctx, { stopWhen, ...request }) => guarded(async () => {
    const stop = new AbortController()
    const running = ctx.shell.run(ctx.shell.resolve({ ...request, signal: stop.signal }))
    stopWhen?.then(() => stop.abort())
    const result = await running
    return settled(result, result.stdout.text, result.stderr.text)
  }),
  background: (ctx, { stopWhen, ...request }) => guarded(async () => {
    const running = ctx.shell.start(ctx.shell.resolve(request))
    stopWhen?.then(() => running.kill())
    await running.done
    // Both streams come as one text.
    const [stdout, stderr = ''] = running.readOutput().delta.split('[stderr]\n')
    return running.sandbox.runnerFailed ? unavailable(stderr) : settled(running, stdout, stderr)
  }),
}
