import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { waitUntil } from '@countersign/testing';
import { WebSocket } from 'undici';
import type { Screen } from './desktop.spec.support.js';

const run = promisify(execFile);

/** Packages the desktop client with the public script. @returns the output directory */
export async function packageApp(
  targets: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-packed-'));
  const script = fileURLToPath(new URL('../../../scripts/package-desktop.mjs', import.meta.url));
  await run(process.execPath, [script, '--machine-tools', '--fast', '--out', directory, '--linux', ...targets], {
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  return directory;
}

export interface PackagedClient {
  /** Returns the complete output. */
  output(): string;
  /** Evaluates an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  /** Returns the log file that users send to support. */
  log(): string;
  close(): Promise<void>;
}

/** Starts a packaged client. Only its page can be inspected: a debugger of the main process is refused. */
export async function startPackaged(
  binary: string,
  screen: Screen,
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<PackagedClient> {
  const userData = mkdtempSync(join(tmpdir(), 'countersign-packaged-'));
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const child = spawn(
    binary,
    [...asRoot, '--disable-gpu', `--user-data-dir=${userData}`, '--remote-debugging-port=0', ...args],
    { env: { ...process.env, ...screen.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = once(child, 'exit');
  let outputText = '';
  const debuggerAddress = new Promise<string>((resolve, reject) => {
    const readOutput = (chunk: Buffer): void => {
      outputText += chunk.toString();
      const address = /DevTools listening on ws:\/\/([^/]+)\//.exec(outputText)?.[1];
      if (address !== undefined) resolve(address);
    };
    child.stdout.on('data', readOutput);
    child.stderr.on('data', readOutput);
    void ended.then(() => reject(new Error(`The packaged client exited:\n${outputText}`)));
  });
  const close = async (): Promise<void> => {
    child.kill();
    await ended;
    rmSync(userData, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const page = await waitForPage(await debuggerAddress);
    return {
      output: () => outputText,
      evaluate: (expression) => evaluate(page, expression),
      log: () =>
        existsSync(join(userData, 'countersign.log')) ? readFileSync(join(userData, 'countersign.log'), 'utf8') : '',
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Target {
  readonly type: string;
  readonly url: string;
  readonly webSocketDebuggerUrl: string;
}

/** Waits for the debugger of the window's page and returns its address. */
async function waitForPage(host: string): Promise<string> {
  const page = await waitUntil('the window has a page', async () => {
    const targets = (await (await fetch(`http://${host}/json/list`)).json()) as Target[];
    return targets.find(({ type, url }) => type === 'page' && url.startsWith('countersign-app://'));
  });
  return page.webSocketDebuggerUrl;
}

interface EvaluationResponse {
  /** Set if the page is not loaded yet or has been replaced. */
  readonly error?: unknown;
  readonly result?: { readonly result: { readonly value: unknown }; readonly exceptionDetails?: unknown };
}

async function evaluate(address: string, expression: string): Promise<unknown> {
  for (;;) {
    const { result } = await sendDebuggerCommand(address, {
      id: 1,
      method: 'Runtime.evaluate',
      params: { expression, awaitPromise: true, returnByValue: true },
    });
    if (result === undefined) continue;
    if (result.exceptionDetails !== undefined) throw new Error(JSON.stringify(result.exceptionDetails));
    return result.result.value;
  }
}

async function sendDebuggerCommand(address: string, message: object): Promise<EvaluationResponse> {
  const socket = new WebSocket(address);
  try {
    await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
    const response = new Promise<string>((resolve) =>
      socket.addEventListener('message', ({ data }) => resolve(String(data)), { once: true }),
    );
    socket.send(JSON.stringify(message));
    return JSON.parse(await response) as EvaluationResponse;
  } finally {
    socket.close();
  }
}
