import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Language model server in a separate process, so that its CPU is not counted here. */
export interface ModelServer {
  readonly baseUrl: string;
  close(): void;
}

export async function startModelServer(): Promise<ModelServer> {
  const child = fork(fileURLToPath(new URL('./model-server-process.js', import.meta.url)), { execArgv: [] });
  const [port] = (await once(child, 'message')) as [number];
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close: () => void child.kill() };
}
