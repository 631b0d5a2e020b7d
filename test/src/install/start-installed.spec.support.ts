import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface InstalledServer {
  readonly url: string;
  output(): string;
  /** Stops the server like Ctrl-C and returns the exit code. */
  stop(): Promise<number | null>;
}

/** Starts the server with the command that npm linked in a project, and waits until it prints its URL. */
export async function startInstalledServer(project: string): Promise<InstalledServer> {
  const child = spawn(process.execPath, [join(project, 'node_modules/.bin/countersign'), 'start', '--port', '0'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const readUrl = (chunk: Buffer): void => {
      output += chunk.toString();
      const address = /"url":"([^"]+)"/.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    };
    child.stdout.on('data', readUrl);
    child.stderr.on('data', readUrl);
    void closed.then(() => reject(new Error(`The server did not start:\n${output}`)));
  });
  return {
    url,
    output: () => output,
    stop: async () => {
      child.kill('SIGINT');
      await closed;
      return child.exitCode;
    },
  };
}
