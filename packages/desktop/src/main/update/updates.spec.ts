import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Log } from '../app/log.js';
import { readUpdateMode, type UpdateMode } from './update-settings.js';
import { Updates } from './updates.js';

describe('Updates', () => {
  let actions: string[];
  let findNewerVersion: () => Promise<string | undefined>;
  let confirmsRestart: boolean;
  const log: Log = {
    info: (event) => void actions.push(event),
    warn: (event) => void actions.push(event),
    failure: (event) => void actions.push(event),
  };

  beforeEach(() => {
    actions = [];
    findNewerVersion = () => Promise.resolve('1.2.0');
    confirmsRestart = false;
  });

  const record = (action: string) => (): Promise<void> => Promise.resolve(void actions.push(action));
  const createUpdates = (mode: Exclude<UpdateMode, 'off'>): Updates =>
    new Updates({
      mode,
      log,
      updater: {
        findNewerVersion: () => findNewerVersion(),
        download: record('downloaded'),
        restart: () => void actions.push('restarted'),
      },
      dialogs: {
        askToRestart: (version) => record(`offered ${version}`)().then(() => confirmsRestart),
        showAvailable: (version) => record(`reported ${version}`)(),
        showUpToDate: record('reported none'),
        showFailed: record('reported failed'),
      },
    });

  it('should download a new version and restart only if the person agrees', async () => {
    await createUpdates('installs').check('by itself');
    expect(actions).to.deep.equal(['update.checked', 'downloaded', 'offered 1.2.0']);
    confirmsRestart = true;
    await createUpdates('installs').check('by itself');
    expect(actions.slice(3)).to.deep.equal(['update.checked', 'downloaded', 'offered 1.2.0', 'restarted']);
  });

  it('should only report a version that cannot be verified, once automatically and each time the person asks', async () => {
    const notifyingUpdates = createUpdates('tells');
    await notifyingUpdates.check('by itself');
    await notifyingUpdates.check('by itself');
    expect(actions).to.deep.equal(['update.checked', 'reported 1.2.0', 'update.checked']);
    await notifyingUpdates.check('asked');
    expect(actions.slice(3)).to.deep.equal(['update.checked', 'reported 1.2.0']);
  });

  it('should report a failure or the lack of an update only when the person asks', async () => {
    findNewerVersion = () => Promise.resolve(undefined);
    await createUpdates('installs').check('by itself');
    await createUpdates('installs').check('asked');
    expect(actions).to.deep.equal(['update.checked', 'update.checked', 'reported none']);
    findNewerVersion = () => Promise.reject(new Error('net::ERR_NAME_NOT_RESOLVED'));
    await createUpdates('installs').check('by itself');
    await createUpdates('installs').check('asked');
    expect(actions.slice(3)).to.deep.equal(['update.failed', 'update.failed', 'reported failed']);
  });

  it('should run only one check at a time', async () => {
    let resolveVersion: (version: undefined) => void = () => undefined;
    findNewerVersion = () => new Promise((resolve) => (resolveVersion = resolve));
    const concurrentUpdates = createUpdates('tells');
    const first = concurrentUpdates.check('by itself');
    await concurrentUpdates.check('asked');
    resolveVersion(undefined);
    await first;
    expect(actions).to.deep.equal(['update.checked']);
  });
});

describe('readUpdateMode', () => {
  let resources: string;

  beforeEach(() => {
    resources = mkdtempSync(join(tmpdir(), 'countersign-updates-'));
  });
  afterEach(() => rmSync(resources, { recursive: true }));

  const GENERIC = 'provider: generic\nurl: https://updates.example.com\n';

  it('should be off if the package contains no update configuration', () => {
    expect(readUpdateMode(resources, 'darwin')).to.equal('off');
  });

  it('should install on macOS and for a named publisher on Windows, and only report versions on Linux', () => {
    const mode = (file: string, platform: NodeJS.Platform): UpdateMode => {
      writeFileSync(join(resources, 'app-update.yml'), file);
      return readUpdateMode(resources, platform);
    };
    expect(mode(GENERIC, 'darwin')).to.equal('installs');
    expect(mode(GENERIC, 'win32')).to.equal('tells');
    expect(mode(`${GENERIC}publisherName:\nupdaterCacheDirName: countersign\n`, 'win32')).to.equal('tells');
    expect(mode(`${GENERIC}publisherName:\n  - Example Ltd\n`, 'win32')).to.equal('installs');
    expect(mode(`${GENERIC}publisherName:\n  - Example Ltd\n`, 'linux')).to.equal('tells');
  });
});
