import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Desktop environment of an application: a screen, and a keychain that stores its sign-in. */
export interface DesktopEnvironment {
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Opens a separate screen and keychain on Linux; elsewhere uses those of the current user. */
export async function openDesktopEnvironment(): Promise<DesktopEnvironment> {
  const processes: ChildProcess[] = [];
  const directory = await mkdtemp(join(tmpdir(), 'countersign-bench-desk-'));
  const close = async (): Promise<void> => {
    for (const child of processes.reverse()) await stopProcess(child);
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  };
  if (process.platform !== 'linux') return { env: {}, close };
  for (const program of ['Xvfb', 'dbus-daemon', 'gnome-keyring-daemon']) {
    if (!(process.env['PATH'] ?? '').split(':').some((each) => existsSync(join(each, program))))
      throw new TypeError(`${program} was not found. Install xvfb, dbus and gnome-keyring.`);
  }
  try {
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    processes.push(screen);
    const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, XDG_DATA_HOME: directory },
    });
    processes.push(bus);
    const env = {
      DISPLAY: `:${await readFirstLine(screen.stdio[3] as NodeJS.ReadableStream)}`,
      DBUS_SESSION_BUS_ADDRESS: await readFirstLine(bus.stdout),
      XDG_DATA_HOME: directory,
    };
    const keyring = spawn('gnome-keyring-daemon', ['--unlock', '--foreground', '--components=secrets'], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { ...process.env, ...env },
    });
    processes.push(keyring);
    keyring.stdin.end('bench');
    return { env, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function readFirstLine(stream: NodeJS.ReadableStream): Promise<string> {
  const [line] = (await once(createInterface({ input: stream }), 'line')) as [string];
  return line.trim();
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}
