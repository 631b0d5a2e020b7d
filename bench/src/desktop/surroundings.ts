import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Desktop environment of an application: a screen, and a keychain that stores its sign-in. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Opens a separate screen and keychain on Linux; elsewhere uses those of the current user. */
export async function openSurroundings(): Promise<Surroundings> {
  const started: ChildProcess[] = [];
  const directory = await mkdtemp(join(tmpdir(), 'countersign-bench-desk-'));
  const close = async (): Promise<void> => {
    for (const child of started.reverse()) await ended(child);
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
    started.push(screen);
    const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, XDG_DATA_HOME: directory },
    });
    started.push(bus);
    const env = {
      DISPLAY: `:${await firstLine(screen.stdio[3] as NodeJS.ReadableStream)}`,
      DBUS_SESSION_BUS_ADDRESS: await firstLine(bus.stdout),
      XDG_DATA_HOME: directory,
    };
    const keyring = spawn('gnome-keyring-daemon', ['--unlock', '--foreground', '--components=secrets'], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { ...process.env, ...env },
    });
    started.push(keyring);
    keyring.stdin.end('bench');
    return { env, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  const [line] = (await once(createInterface({ input: stream }), 'line')) as [string];
  return line.trim();
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}
