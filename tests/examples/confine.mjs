// confine.mjs LIBRARY DIRECTORY COMMAND [ARG]...: what confine.c does, from Node with the package koffi.
// It waits for the command by the end of its stderr; Node has no waitpid, so the status comes from libc's.
import { createRequire } from 'node:module'
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const koffi = createRequire(`${process.cwd()}/`)(process.env.KOFFI ?? 'koffi')
const READ_EXECUTE = 0xd, FILE_SET = 0xffff, SEARCH_PATH = 1

const Grant = koffi.struct('llr_grant', {
  type: 'uint32_t', flags: 'uint32_t', rights: 'uint64_t', path: 'const char *', fd: 'int32_t', port: 'uint32_t',
})
const Policy = koffi.struct('llr_policy', {
  size: 'uint32_t', flags: 'uint32_t', governed: 'uint64_t', required: 'uint64_t', grants: 'llr_grant *',
  grants_count: 'uint64_t', grant_source: 'void *', grant_context: 'void *', guards: 'uint32_t', reserved: 'uint32_t',
})
const Result = koffi.struct('llr_result', {
  size: 'uint32_t', enforcement: 'uint32_t', abi: 'int32_t', unmet: 'uint32_t', governed: 'uint64_t', ungoverned: 'uint64_t',
})
const LlrError = koffi.struct('llr_error', {
  code: 'int32_t', errnum: 'int32_t', subject: 'void *', field: 'void *', index: 'uint64_t',
})
const Spawn = koffi.struct('llr_spawn', {
  size: 'uint32_t', flags: 'uint32_t', policy: 'llr_policy *', argv: 'const char **', envp: 'const char **',
  cwd: 'const char *', stdio: koffi.array('int32_t', 3), reserved: 'uint32_t',
})
const Verdict = koffi.struct('llr_verdict', {
  size: 'uint32_t', kind: 'uint32_t', exit_status: 'int32_t', signal: 'int32_t', partial: 'uint32_t', reserved: 'uint32_t',
  evidence: 'void *', evidence_length: 'uint64_t',
})

const [path, directory, ...command] = process.argv.slice(2)
const library = koffi.load(path)
const spawn = library.func('int32_t llr_spawn(const llr_spawn *spawn, _Inout_ llr_result *result, _Out_ llr_error *error)')
const confine = library.func('int llr_confine(const llr_policy *policy, _Inout_ llr_result *result, _Out_ llr_error *error)')
const classify = library.func('void llr_classify(int32_t status, const uint8_t *errors, size_t length, _Inout_ llr_verdict *verdict)')
const waitpid = koffi.load(null).func('int waitpid(int pid, _Out_ int *status, int options)')
const sized = (type, members) => ({ size: koffi.sizeof(type), ...members })

const policy = sized(Policy, {
  flags: 0, governed: 0, required: 0, grant_source: null, grant_context: null, guards: 0, reserved: 0, grants_count: 2,
  grants: [
    { type: 0, flags: 0, rights: READ_EXECUTE, path: '/', fd: -1, port: 0 },
    { type: 0, flags: 0, rights: FILE_SET, path: directory, fd: -1, port: 0 },
  ],
})
const noResult = () => sized(Result, { enforcement: 0, abi: 0, unmet: 0, governed: 0, ungoverned: 0 })

const file = `${directory}/stderr`
const writer = openSync(file, 'w')
const result = noResult()
const error = {}
const pid = spawn(sized(Spawn, {
  flags: SEARCH_PATH, policy, argv: [...command, null], cwd: null, stdio: [-1, -1, writer], reserved: 0,
  envp: [...Object.entries(process.env).map(([name, value]) => `${name}=${value}`), null],
}), result, error)
closeSync(writer)
if (pid < 0) throw new Error(`llr_spawn: code ${error.code}, errno ${error.errnum}`)
const status = [0]
waitpid(pid, status, 0)
const errors = readFileSync(file)
rmSync(file)
const verdict = sized(Verdict, { kind: 0, exit_status: 0, signal: 0, partial: 0, reserved: 0, evidence: null, evidence_length: 0 })
classify(status[0], errors, errors.length, verdict)
const kinds = ["the command's own status", 'likely denied', 'the launcher failed']
console.log(`enforcement ${result.enforcement}, exit status ${verdict.exit_status}: ${kinds[verdict.kind]}`)
if (verdict.evidence) console.log(`evidence: ${koffi.decode(verdict.evidence, 'char', Number(verdict.evidence_length))}`)

if (confine(policy, noResult(), error)) throw new Error(`llr_confine: code ${error.code}`)
try {
  writeFileSync('outside', '')
} catch (failure) {
  console.log(`confined: ${failure.code}`)
}
