import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasSessionBus, SessionDesktop } from './session-desktop.spec.support.js';

const DAEMON = '/usr/bin/gnome-keyring-daemon';

/** Returns whether the tests have a keychain; without one they are skipped, except in CI. */
export function hasKeyring(): boolean {
  return hasSessionBus() && (process.env['CI'] === 'true' || existsSync(DAEMON));
}

/** A real, unlocked keychain (GNOME Keyring, freedesktop.org Secret Service) with its own bus and its own files. */
export class Keyring {
  private constructor(
    readonly env: Readonly<Record<string, string>>,
    readonly directory: string,
    private readonly bus: SessionDesktop,
  ) {}

  static async start(): Promise<Keyring> {
    const bus = await SessionDesktop.start();
    const directory = mkdtempSync(join(tmpdir(), 'countersign-keyring-'));
    const directories = {
      XDG_RUNTIME_DIR: join(directory, 'run'),
      XDG_DATA_HOME: join(directory, 'data'),
      XDG_CACHE_HOME: join(directory, 'cache'),
    };
    for (const directoryPath of Object.values(directories)) mkdirSync(directoryPath, { mode: 0o700 });
    const env = { ...bus.env, ...directories };
    const daemon = spawn(DAEMON, ['--unlock', '--components=secrets'], {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const started = once(daemon, 'exit');
    daemon.stdin.end('the password of the tests\n');
    // The command leaves a daemon running, which accepts requests.
    const [code] = (await started) as [number | null];
    if (code !== 0) throw new Error(`The keychain does not start (${String(code)}).`);
    return new Keyring(env, directory, bus);
  }

  /** Stops the bus, which also ends the daemon. */
  async stop(): Promise<void> {
    await this.bus.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
