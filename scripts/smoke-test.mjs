// Does what the README says, as somebody would who has just cloned: `npm start`, a run that a person approves to its end over
// HTTP, Ctrl-C. It uses a data directory of its own and a free port, so a server that runs here is left alone.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** On a slow machine, and with a build. */
const START_TIMEOUT_MS = 300_000;
const RUN_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 60_000;
const LOOK_AGAIN_MS = 100;

const root = fileURLToPath(new URL('..', import.meta.url));
const parent = mkdtempSync(join(realpathSync(tmpdir()), 'countersign-smoke-'));
const data = join(parent, 'data');

/** A process group of its own, which Ctrl-C goes to as a whole. */
const server = spawn('npm', ['start', '--', '--port', '0', '--data', data], {
  cwd: root,
  detached: true,
  stdio: ['ignore', 'pipe', 'pipe'],
});
let output = '';
for (const stream of [server.stdout, server.stderr]) {
  stream.on('data', (chunk) => {
    output += chunk;
    process.stderr.write(chunk);
  });
}
const closed = once(server, 'close');

try {
  const url = await until(
    'the server prints its address',
    () => /runs on (\S+)[\s\S]*Press Ctrl-C to stop/.exec(output)?.[1],
    START_TIMEOUT_MS,
  );
  await approveARun(url);
  process.kill(-server.pid, 'SIGINT');
  // npm ends by the signal itself; the server has ended too once nobody holds its output.
  const [code, signal] = await within(STOP_TIMEOUT_MS, 'the server stops', closed);
  if (code !== 0 && signal !== 'SIGINT') throw new Error(`npm start ended with ${code ?? signal}.`);
  if (
    await fetch(url).then(
      () => true,
      () => false,
    )
  )
    throw new Error('Something still answers where the server was.');
  process.stdout.write('A run was started, approved and completed over HTTP, and the server has stopped.\n');
} catch (error) {
  process.stdout.write(`${error.message}\n`);
  process.exitCode = 1;
  if (server.exitCode === null && server.signalCode === null) process.kill(-server.pid, 'SIGKILL');
  await closed;
} finally {
  rmSync(parent, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
}

/** The example of the README, on this repository. */
async function approveARun(url) {
  const [ann, bob] = [tokenOf('operator', 'ann'), tokenOf('approver', 'bob')];
  const ask = async (token, path, body) => {
    const headers = { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(
      `${url}/api${path}`,
      body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
    );
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  const inputs = { repository: root.replace(/\/$/, ''), from: 'HEAD~1', to: 'HEAD', version: '0.1.0' };
  const { runId } = await ask(ann, '/runs', { workflowId: 'release-approval', inputs });
  const approval = await until(
    'the run asks for an approval',
    async () => (await ask(bob, `/approvals?runId=${runId}`)).items[0],
    RUN_TIMEOUT_MS,
  );
  await ask(bob, `/approvals/${approval.approvalId}/decision`, {
    decision: 'approve',
    expectedDigest: approval.digest,
  });
  const run = await until(
    'the run ends',
    async () => {
      const found = await ask(ann, `/runs/${runId}`);
      if (found.status === 'failed') throw new Error(`The run failed: ${JSON.stringify(found.error)}`);
      return found.outcome !== null && found;
    },
    RUN_TIMEOUT_MS,
  );
  if (run.outcome !== 'completed') throw new Error(`The run ended as ${run.outcome}.`);
}

function tokenOf(role, subject) {
  const { status, stdout, stderr } = spawnSync(
    'npx',
    ['countersign', 'token', '--data', data, '--role', role, '--subject', subject],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`No token: ${stderr}`);
  return stdout.trim();
}

async function until(what, look, deadlineMs) {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (server.exitCode !== null || server.signalCode !== null)
      throw new Error(`The server ended before this: ${what}.`);
    if (performance.now() > end) throw new Error(`After ${deadlineMs / 1000} s this was still not the case: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

async function within(milliseconds, what, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`After ${milliseconds / 1000} s this was still not the case: ${what}.`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
