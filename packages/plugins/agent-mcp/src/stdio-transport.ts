import { spawn, type ChildProcess } from 'node:child_process';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { dieWithUs } from './process-groups.js';

/** One message, in bytes: what it says is bounded besides. */
const MOST_MESSAGE = 4_194_304;
/** Lines that are no messages, such as of a program that logs on its standard output. */
const MOST_BROKEN = 100;
const GRACE_MS = 2_000;

export interface StdioServer {
  readonly command: string;
  readonly args: readonly string[];
  /** All of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  /** What the program writes to its standard error. */
  onStderr(chunk: string): void;
}

/**
 * MCP with a program on its standard input and output, as the SDK's own transport has it, but for three things: the program
 * gets no environment that is not its own, it and all that it starts are one process group that ends as a whole, and a
 * program that writes without end is ended.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #server: StdioServer;
  readonly #buffer = new ReadBuffer({ maxBufferSize: MOST_MESSAGE });
  #child: ChildProcess | undefined;
  #gone: Promise<void> = Promise.resolve();
  #broken = 0;
  /** What is still on its way from a program that was ended for what it wrote is not heard. */
  #isEnded = false;

  constructor(server: StdioServer) {
    this.#server = server;
  }

  start(): Promise<void> {
    const { command, args, env, cwd, onStderr } = this.#server;
    const child = spawn(command, [...args], {
      env: { ...env },
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    child.stderr.setEncoding('utf8').on('data', onStderr);
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream.on('error', (error) => this.onerror?.(error));
    return new Promise((resolve, reject) => {
      child.once('error', (error) => {
        reject(error);
        this.onerror?.(error);
      });
      child.once('spawn', () => {
        const release = dieWithUs(child);
        this.#gone = new Promise((gone) => {
          // Not "close": something that it started may hold its output.
          child.once('exit', () => {
            endGroup(child, 'SIGKILL');
            release();
            gone();
            this.onclose?.();
          });
        });
        resolve();
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || stdin === null || !stdin.writable) return Promise.reject(new Error('Not connected'));
    return new Promise((resolve, reject) =>
      stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve())),
    );
  }

  /** Asks the program to end by the end of its input (MCP 2025-06-18, "Shutdown"), and then makes it. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.stdin?.end();
    const terminate = setTimeout(() => endGroup(child, 'SIGTERM'), GRACE_MS);
    const kill = setTimeout(() => endGroup(child, 'SIGKILL'), 2 * GRACE_MS);
    await this.#gone;
    clearTimeout(terminate);
    clearTimeout(kill);
  }

  #take(chunk: Buffer): void {
    if (this.#isEnded) return;
    try {
      this.#buffer.append(chunk);
    } catch (error) {
      this.#end(error);
      return;
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        this.#broken += 1;
        if (this.#broken > MOST_BROKEN) return this.#end(error);
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  #end(error: unknown): void {
    this.#isEnded = true;
    this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    this.#buffer.clear();
    if (this.#child !== undefined) endGroup(this.#child, 'SIGKILL');
  }
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // There is nobody left in the group.
  }
}
