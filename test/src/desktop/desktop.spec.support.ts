import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seconds } from '@countersign/testing';
import { expect } from 'chai';
import { _electron, errors, type ElectronApplication, type Page } from 'playwright-core';
import type { TestHost } from '@countersign/testing';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
export const DESKTOP = join(repository, 'packages/desktop');

/** Returns the directory of Electron; `undefined` if there is none. */
function findElectron(): string | undefined {
  const { status, stdout } = spawnSync(process.execPath, [join(repository, 'scripts/electron-for-tests.mjs')], {
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : undefined;
}

const ELECTRON_DIRECTORY = findElectron();

/** Returns whether Electron and a screen are available. Always true in CI, where the tests must not be skipped. */
export function hasElectron(): boolean {
  if (process.env['CI'] === 'true') return true;
  const missingReason =
    ELECTRON_DIRECTORY === undefined
      ? 'no Electron: `node scripts/electron-for-tests.mjs --download`'
      : detectScreen() === undefined
        ? 'no screen: install Xvfb'
        : undefined;
  if (missingReason !== undefined)
    process.stderr.write(`The tests of the desktop client are skipped: ${missingReason}.\n`);
  return missingReason === undefined;
}

/** Prefers Xvfb to the screen of the user who runs the tests. */
function detectScreen(): 'xvfb' | 'own' | undefined {
  if (process.platform !== 'linux') return 'own';
  if (existsSync('/usr/bin/Xvfb')) return 'xvfb';
  return process.env['DISPLAY'] === undefined ? undefined : 'own';
}

/** A screen for the applications of the specs in a file. */
export class Screen {
  private constructor(
    readonly env: Readonly<Record<string, string>>,
    private readonly server: ChildProcess | undefined,
  ) {}

  static async start(): Promise<Screen> {
    if (detectScreen() !== 'xvfb') return new Screen({}, undefined);
    const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const displayPipe = server.stdio[3];
    if (displayPipe === null || displayPipe === undefined) throw new Error('Xvfb has no pipe for its display number.');
    const ended = once(server, 'exit').then(([code]) => {
      throw new Error(`Xvfb exited with code ${String(code)} before it reported its display number.`);
    });
    const [number] = (await Promise.race([once(displayPipe, 'data'), ended])) as [Buffer];
    ended.catch(() => undefined);
    return new Screen({ DISPLAY: `:${number.toString().trim()}` }, server);
  }

  async stop(): Promise<void> {
    if (this.server === undefined || this.server.exitCode !== null) return;
    const ended = once(this.server, 'exit');
    this.server.kill();
    await ended;
  }
}

export interface DesktopOptions {
  readonly screen: Screen;
  /** User data directory of an earlier start; by default a new directory. */
  readonly userData?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether to simulate the keychain of the system, which the test environment does not have. */
  readonly keychain?: boolean;
  /** Whether the specs cause refusals on purpose. Faults and log entries are then not checked. */
  readonly expectsRefusals?: boolean;
  /** What the user has chosen to see after a vote. Default: the decided approval, whose result most specs check. */
  readonly afterVote?: 'next' | 'stay';
}

/** The desktop client, started as by a user. */
export interface Desktop {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly userData: string;
  /** Returns the log of the application. */
  log(): string;
  /**
   * Asserts that no fault occurred, and closes the application. @param expectedLogEntries events that may be logged as
   * warnings or errors
   */
  close(...expectedLogEntries: string[]): Promise<void>;
}

/** Returns the command line of the application, for a second start. */
export function buildCommandLine(
  userData: string,
  args: readonly string[] = [],
  keychain = false,
): { readonly command: string; readonly args: string[] } {
  if (ELECTRON_DIRECTORY === undefined)
    throw new Error('Electron is missing. Download it with `node scripts/electron-for-tests.mjs --download`.');
  const isOldNode =
    Number.parseInt(readFileSync(join(ELECTRON_DIRECTORY, 'version'), 'utf8').replace(/^v/, ''), 10) < 25;
  const shims = [
    ...(isOldNode ? ['-r', join(repository, 'scripts/electron-fall-back/old-node.cjs')] : []),
    ...(keychain ? ['-r', join(repository, 'test/keychain-for-tests.cjs')] : []),
  ];
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return {
    command: join(ELECTRON_DIRECTORY, process.platform === 'win32' ? 'electron.exe' : 'electron'),
    args: [...asRoot, '--disable-gpu', `--user-data-dir=${userData}`, ...shims, DESKTOP, ...args],
  };
}

export async function startDesktop({
  screen,
  userData = mkdtempSync(join(tmpdir(), 'countersign-desktop-')),
  args = [],
  env = {},
  keychain = false,
  expectsRefusals = false,
  afterVote = 'stay',
}: DesktopOptions): Promise<Desktop> {
  const line = buildCommandLine(userData, args, keychain);
  const app = await launch({
    executablePath: line.command,
    args: line.args,
    // Isolates the keychain, notifications and tray of the user who runs the tests.
    env: {
      ...process.env,
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      LANG: 'en_GB.UTF-8',
      ELECTRON_DISABLE_SECURITY_WARNINGS: 'true',
      ...screen.env,
      ...env,
    } as Record<string, string>,
    timeout: seconds(15),
  });
  const page = await app.firstWindow({ timeout: seconds(30) });
  page.setDefaultTimeout(seconds(10));
  await page.evaluate((choice) => localStorage.setItem('countersign:after-vote', choice), afterVote);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    // Logged on each page load by a Chromium that does not know the directive yet.
    if (message.type() === 'error' && !message.text().includes("directive 'webrtc'"))
      faults.push(`console: ${message.text()}`);
  });
  const log = (): string =>
    existsSync(join(userData, 'countersign.log')) ? readFileSync(join(userData, 'countersign.log'), 'utf8') : '';
  return {
    app,
    page,
    userData,
    log,
    close: async (...expectedLogEntries) => {
      const logText = log();
      // Closing with a pending vote opens a dialog, which nobody would close here.
      await app.evaluate(({ dialog }) => void (dialog.showMessageBoxSync = () => 1)).catch(() => undefined);
      await app.close();
      if (expectsRefusals) return;
      expect(faults).to.deep.equal([]);
      expect(
        logText
          .split('\n')
          .filter(
            (entry) =>
              /"level":"(warn|error)"/.test(entry) &&
              !expectedLogEntries.some((event) => entry.includes(`"event":"${event}"`)),
          ),
      ).to.deep.equal([]);
    },
  };
}

/**
 * Starts the application, and tries once more if an old Electron does not respond to the debugger. No code of the
 * application has run by then.
 */
async function launch(options: Parameters<typeof _electron.launch>[0]): Promise<ElectronApplication> {
  try {
    return await _electron.launch(options);
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
    return await _electron.launch(options);
  }
}

/** Deletes the data of an application. */
export function deleteUserData(userData: string): void {
  rmSync(userData, { recursive: true, force: true });
}

/** Adds the server and signs in with a development token for the role and the subject. */
export async function signIn(
  desktop: Desktop,
  host: Pick<TestHost, 'url' | 'token'>,
  role: Parameters<TestHost['token']>[0],
  subject: string,
): Promise<void> {
  await signInWithToken(desktop, host, await host.token(role, { subject }));
}

/** Adds a server and signs in with a development token. */
export async function signInWithToken({ page }: Desktop, host: Pick<TestHost, 'url'>, token: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Address' }).fill(host.url);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByLabel(/^Development token/).fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
}
