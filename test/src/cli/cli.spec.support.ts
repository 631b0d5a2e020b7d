import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The command as npm links it, which `npx countersign` runs. */
const COMMAND = fileURLToPath(new URL('../../../node_modules/.bin/countersign', import.meta.url));

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  /** The working directory; all paths are relative to it. */
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Whether a shell starts the command, as npm does, and receives the signals. */
  readonly viaNpm?: boolean;
}

function launch(args: readonly string[], { cwd, env, viaNpm = false }: CliOptions): ChildProcess {
  const { NODE_ENV: _, npm_lifecycle_event: __, ...inherited } = process.env;
  const options: SpawnOptions = {
    cwd,
    env: { ...inherited, COUNTERSIGN_SKIP_BUILD: '1', ...(viaNpm ? { npm_lifecycle_event: 'start' } : {}), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  };
  // Because of the second command the shell does not replace itself with the first.
  return viaNpm
    ? spawn('sh', ['-c', '"$0" "$@"; exit', process.execPath, COMMAND, ...args], options)
    : spawn(process.execPath, [COMMAND, ...args], options);
}

/** Runs a command until it exits. */
export async function run(args: readonly string[], options: CliOptions): Promise<CommandResult> {
  const child = launch(args, options);
  const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr };
}

export interface RunningServer {
  readonly url: string;
  readonly pid: number;
  /** Returns the output so far. */
  output(): string;
  /** Sends a signal and waits until the command exits. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts a server and waits until it prints its address. */
export async function startServer(args: readonly string[], options: CliOptions): Promise<RunningServer> {
  const child = launch(['start', '--development', '--port', '0', ...args], options);
  const closed = once(child, 'close');
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const handleOutput = (chunk: Buffer): void => {
      output += chunk.toString();
      // The server prints either a banner for people or JSON log lines.
      const [, bannerUrl, logUrl] =
        /runs on (\S+)[\s\S]*Press Ctrl-C to stop|"url":"([^"]+)"[^\n]*"msg":"listening"/.exec(output) ?? [];
      const address = bannerUrl ?? logUrl;
      if (address !== undefined) resolve(address);
    };
    child.stdout?.on('data', handleOutput);
    child.stderr?.on('data', handleOutput);
    closed.then(() => {
      reject(new Error(`The server did not start:\n${output}`));
    }, reject);
  });
  return {
    url,
    pid: child.pid!,
    output: () => output,
    end: async (signal) => {
      child.kill(signal);
      await closed;
      return { code: child.exitCode, signal: child.signalCode };
    },
  };
}
