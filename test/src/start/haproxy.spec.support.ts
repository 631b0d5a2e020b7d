import { waitUntil } from '@countersign/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findFreePort } from '../free-port.spec.support.js';

const HAPROXY = process.env['HAPROXY_BINARY'] ?? '/usr/sbin/haproxy';

/** Returns whether HAProxy is installed; otherwise its tests are skipped, but never in CI. */
export function hasHaproxy(): boolean {
  return process.env['CI'] === 'true' || existsSync(HAPROXY);
}

export interface Backend {
  readonly name: string;
  readonly port: number;
}

export interface Haproxy {
  readonly url: string;
  /** Waits until the health checks report a server as up. */
  waitUntilUp(name: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts HAProxy in front of servers, with health checks every 500 ms. It neither retries a request nor sends it to
 * another server, and it reuses connections to servers whenever it can, so a request that a stopping server drops fails
 * for the client.
 */
export async function startHaproxy(directory: string, backends: readonly Backend[]): Promise<Haproxy> {
  const port = await findFreePort();
  const socket = join(directory, 'haproxy.sock');
  const file = join(directory, 'haproxy.cfg');
  await writeFile(file, buildConfiguration(port, socket, backends));
  const child = spawn(HAPROXY, ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  const closed = once(child, 'close');
  await waitUntil('HAProxy has created its socket', async () => {
    if (hasEnded(child)) throw new Error(`HAProxy did not start:\n${output}`);
    return existsSync(socket);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    waitUntilUp: async (name) => {
      await waitUntil(`HAProxy reports ${name} as up`, async () => isUp(await sendCommand(socket, 'show stat'), name));
    },
    stop: async () => {
      if (!hasEnded(child)) child.kill('SIGKILL');
      await closed;
    },
  };
}

function buildConfiguration(port: number, socket: string, backends: readonly Backend[]): string {
  return `
global
  stats socket ${socket} level admin
defaults
  mode http
  timeout connect 5s
  timeout check 5s
  timeout client 60s
  timeout server 60s
  retries 0
  http-reuse always
frontend api
  bind 127.0.0.1:${port}
  default_backend servers
backend servers
  balance roundrobin
  option httpchk
  http-check send meth GET uri /api/health/ready ver HTTP/1.1 hdr Host localhost
  http-check expect status 200
  default-server check inter 500ms fall 3 rise 1
${backends.map((each) => `  server ${each.name} 127.0.0.1:${each.port}`).join('\n')}
`;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Executes a command of HAProxy's Runtime API. */
async function sendCommand(socket: string, line: string): Promise<string> {
  const connection = connect(socket);
  connection.end(`${line}\n`);
  return text(connection);
}

/** @param statistics CSV whose first line contains the column names */
function isUp(statistics: string, name: string): boolean {
  const [headerRow = '', ...rows] = statistics.split('\n').map((line) => line.split(','));
  const statusIndex = headerRow.indexOf('status');
  return rows.some((row) => row[0] === 'servers' && row[1] === name && row[statusIndex] === 'UP');
}
