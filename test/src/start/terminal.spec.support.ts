import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readlink, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@countersign/core';
import { loadTestEngine, waitUntil } from '@countersign/testing';

const engine = await loadTestEngine();
const COMMAND = fileURLToPath(new URL('../../../node_modules/.bin/countersign', import.meta.url));

export interface TerminalProcess {
  readonly child: ChildProcess;
  readonly url: Promise<string>;
  output(): string;
  readonly closed: Promise<unknown>;
}

export interface TerminalOptions {
  /** Options in addition to those that every test needs. */
  readonly options?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs `countersign start` as a terminal does: in its own process group, which receives Ctrl-C as a whole. */
export function startInTerminal(
  dataDirectory: string,
  { options = [], environment = {} }: TerminalOptions = {},
): TerminalProcess {
  const { NODE_ENV: _, ...inherited } = process.env;
  const env = { ...inherited, ...toEnvironment(engine.configure?.(toName(dataDirectory)) ?? {}), ...environment };
  const args = ['start', '--development', '--port', '0', '--data', dataDirectory, ...options];
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd: tmpdir(),
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  const url = waitUntil(
    'the server prints its address',
    async () => {
      if (child.exitCode !== null) throw new Error(output);
      return /runs on (\S+)[\s\S]*Press Ctrl-C to stop/.exec(output)?.[1];
    },
    60,
  );
  return { child, url, output: () => output, closed };
}

/** Returns a name for the installation in a directory, of letters, digits and hyphens. */
function toName(directory: string): string {
  return directory
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .slice(1)
    .slice(-100);
}

/** Returns a configuration as environment variables. */
function toEnvironment(configuration: JsonObject, prefix = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(configuration).flatMap(([key, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(toEnvironment(value, `${prefix}${key}__`))
        : [[`${prefix}${key}`, String(value)]],
    ),
  );
}

/** Sends a signal to the whole process group. */
export function signalProcessGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  process.kill(-(child.pid ?? 0), signal);
}

/** Reads the process id of the embedded PostgreSQL server. */
export async function readPostmasterPid(dataDirectory: string): Promise<number> {
  return Number((await readFile(`${dataDirectory}/postgres/cluster/postmaster.pid`, 'utf8')).split('\n')[0]);
}

/** Returns processes whose arguments or working directory contain one of the texts, like PostgreSQL's. Linux only. */
export async function findProcesses(...searchTexts: readonly string[]): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    ids.map(async (id) => {
      const [command, cwd] = await Promise.all([
        readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''),
        readlink(`/proc/${id}/cwd`).catch(() => ''),
      ]);
      return `${id} in ${cwd}: ${command.replaceAll('\0', ' ')}`;
    }),
  );
  return lines.filter((line) => searchTexts.some((searchText) => line.includes(searchText)));
}
