import { inject, injectable } from 'inversify';
import type { Caller } from '../../application/caller.js';
import { FailureLog } from '../../application/failure-log.js';
import type { ReadinessResult } from '../../contributions/readiness-check.js';
import type { LifecycleContribution } from '../../contributions/lifecycle.js';
import { ApiError, isApiError, isStartupError } from '@countersign/model';
import { ClockPort } from '../../ports/clock.js';
import { LoggerPort } from '../../ports/logger.js';
import type { SettingsStore, StoredSettings } from '../../ports/settings.js';
import { StoragePort } from '../../ports/storage.js';
import { StartMode } from '../start-mode.js';
import { readIgnoredKeys } from '../configuration/apply-saved-settings.js';
import type { CoreConfiguration } from '../configuration/core-configuration.js';
import type { SavedSetting } from '../configuration/configuration-layers.js';
import type { HostProblem } from '../../errors/host-problem.js';
import { HostStartError } from '../../errors/host-start-error.js';
import type { CatalogueEntry, HostSettings } from './host-settings.js';
import { SecretCipher } from './secret-cipher.js';
import { LiveConfiguration } from './live-configuration.js';
import { buildSettingViews } from './setting-view.js';
import { planSettingsChange, type SettingsPlan, type SettingsRequest } from './plan-settings-change.js';
import { HostRebuildRequired } from './host-rebuild-required.js';
import { decryptSettings, reencryptStaleSecrets } from './stored-secrets.js';
import { buildSettingsChange } from './build-settings-change.js';

/** Poll interval in ms: maximum delay until a change reaches the other server processes. */
const POLL_INTERVAL_MS = 1_000;
/** Maximum number of attempts when concurrent writers change the settings first. */
const MAX_ATTEMPTS = 10;

interface SavedSettingsDependencies {
  readonly configuration: LiveConfiguration;
  readonly store: SettingsStore;
  readonly cipher: SecretCipher;
  readonly clock: ClockPort;
  readonly log: LoggerPort;
}

/** The saved settings as last loaded by this process. */
interface LoadedSettings {
  readonly stored: StoredSettings;
  readonly saved: readonly SavedSetting[];
  readonly inapplicable: readonly string[];
}

/** Applies the settings saved by admins and polls for changes. Started directly after the storage. */
@injectable()
export class SavedSettings implements HostSettings, LifecycleContribution {
  readonly name = 'settings';
  readonly #dependencies: SavedSettingsDependencies;
  #current: LoadedSettings = { stored: { revision: -1, settings: [] }, saved: [], inapplicable: [] };
  #lastError: unknown;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> = Promise.resolve();

  readonly #failures: FailureLog;

  constructor(
    @inject(LiveConfiguration) configuration: LiveConfiguration,
    @inject(StoragePort) store: SettingsStore,
    @inject(SecretCipher) cipher: SecretCipher,
    @inject(ClockPort) clock: ClockPort,
    @inject(LoggerPort) log: LoggerPort,
    @inject(StartMode) private readonly startMode: StartMode,
  ) {
    this.#dependencies = { configuration, store, cipher, clock, log };
    this.#failures = new FailureLog(log, 'the saved settings cannot be applied');
  }

  /**
   * Loads and applies the saved settings.
   *
   * @throws {HostRebuildRequired} if the start mode allows a rebuild and a saved setting requires a new host
   */
  async start(): Promise<void> {
    await this.#refreshStaleSecrets();
    const loaded = await this.#load();
    const keysAwaitingRestart = this.#dependencies.configuration.findKeysAwaitingRestart(loaded.saved);
    if (this.startMode.mayRebuild && keysAwaitingRestart.length > 0) throw new HostRebuildRequired(loaded.saved);
    this.#apply(loaded);
    this.#schedulePoll();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#polling;
  }

  async getCatalogue(): Promise<readonly CatalogueEntry[]> {
    await this.#queuePoll();
    const { stored, saved } = this.#current;
    const rotatedAtByKey = new Map(stored.settings.map(({ key, secret }) => [key, secret?.rotatedAt ?? null]));
    return buildSettingViews(this.#dependencies.configuration.resolve(saved)).map((view) => ({
      ...view,
      lastRotatedAt: rotatedAtByKey.get(view.key) ?? null,
    }));
  }

  async change(request: SettingsRequest, caller: Pick<Caller, 'actor' | 'from'>): Promise<readonly CatalogueEntry[]> {
    const changedKeys = new Set([...Object.keys(request.values), ...Object.keys(request.secrets)]);
    let initialSettings: StoredSettings | undefined;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const loaded = await this.#loadToChange();
      initialSettings ??= loaded.stored;
      this.#assertNotStale(initialSettings, loaded.stored, changedKeys);
      const plan = planSettingsChange(
        this.#dependencies.configuration,
        loaded.saved,
        loaded.stored.settings.map(({ key }) => key),
        request,
      );
      this.#assertNoErrors(plan);
      const change = await buildSettingsChange(plan, loaded.stored.revision, caller, this.#dependencies);
      if (change.put.length === 0 && change.remove.length === 0) return this.getCatalogue();
      if ((await this.#dependencies.store.changeSettings(change)) === 'changed') return this.getCatalogue();
    }
    throw staleRevisionError();
  }

  check(): ReadinessResult {
    if (this.#lastError !== undefined)
      return { status: 'fail', detail: 'The saved settings cannot be applied; see the log.' };
    const { saved, inapplicable } = this.#current;
    const keysAwaitingRestart = this.#dependencies.configuration.findKeysAwaitingRestart(saved);
    const ignoredCount = readIgnoredKeys(this.#dependencies.configuration.resolve([]).raw.values).size;
    const remarks = [
      ...(keysAwaitingRestart.length > 0 ? [`${keysAwaitingRestart.length} awaiting a restart`] : []),
      ...(inapplicable.length > 0 ? [`${inapplicable.length} without effect`] : []),
      ...(ignoredCount > 0 ? ['some ignored (Settings:Ignore)'] : []),
    ];
    return remarks.length === 0
      ? { status: 'ok', detail: 'All saved settings are in effect.' }
      : { status: 'warn', detail: `Saved settings: ${remarks.join(', ')}.` };
  }

  /**
   * Loads the saved settings.
   *
   * @throws {StartupError} if a secret cannot be decrypted
   * @throws {HostStartError} if a setting that may enforce a restriction is invalid
   */
  async #load(): Promise<LoadedSettings> {
    const { configuration, cipher, store } = this.#dependencies;
    const stored = await store.loadSettings();
    const plainSettings = stored.settings
      .filter(({ secret }) => secret === null)
      .map(({ key, value }) => ({ key, value }));
    const { parsed, raw } = configuration.resolve(plainSettings);
    const graceMs = (parsed.get('core') as CoreConfiguration | undefined)?.Settings.RotationGrace ?? 0;
    const decrypted = await decryptSettings(stored, cipher, { ignored: readIgnoredKeys(raw.values), graceMs });
    const { usable, inapplicable, problems } = configuration.selectApplicable(decrypted);
    if (problems.length > 0) throw new HostStartError(problems.map(appendRemedy));
    return { stored, saved: usable, inapplicable };
  }

  async #loadToChange(): Promise<LoadedSettings> {
    try {
      return await this.#load();
    } catch (cause) {
      if (!isStartupError(cause) && !isApiError(cause)) throw cause;
      this.#dependencies.log.error({ err: cause }, 'could not read the saved settings, so no setting can be changed');
      throw new ApiError(
        'service_unavailable',
        'This server cannot read the saved settings, so it cannot change them. See its log.',
        {},
        { cause },
      );
    }
  }

  #apply(loaded: LoadedSettings): void {
    const { configuration, log } = this.#dependencies;
    configuration.apply(loaded.saved, log);
    const keysAwaitingRestart = configuration.findKeysAwaitingRestart(loaded.saved);
    if (keysAwaitingRestart.length > 0)
      log.warn({ settings: keysAwaitingRestart }, 'saved settings wait for a restart');
    if (loaded.inapplicable.length > 0)
      log.warn(
        { settings: loaded.inapplicable },
        'ignored saved settings: their names are unknown, or their values are no longer valid. Save them again, or reset them',
      );
    this.#current = loaded;
    this.#lastError = undefined;
  }

  /** Polls sequentially, so that an older revision is never applied after a newer one. */
  #queuePoll(): Promise<void> {
    this.#polling = this.#polling.then(() => this.#pollNow());
    return this.#polling;
  }

  async #pollNow(): Promise<void> {
    const { log, store } = this.#dependencies;
    try {
      const revision = await store.settingsRevision();
      if (this.#hasExpiredSecret()) await this.#refreshStaleSecrets();
      else if (revision === this.#current.stored.revision && this.#lastError === undefined) return;
      const loaded = await this.#load();
      if (loaded.stored.revision !== this.#current.stored.revision)
        log.info({ revision: loaded.stored.revision }, 'the saved settings have changed');
      this.#apply(loaded);
      this.#failures.recordSuccess();
    } catch (error) {
      // Until polling succeeds again, the last known settings stay in effect.
      this.#failures.recordFailure(error);
      this.#lastError = error;
    }
  }

  #schedulePoll(): void {
    this.#timer = setTimeout(() => {
      void this.#queuePoll().then(() => {
        if (this.#timer !== undefined) this.#schedulePoll();
      });
    }, POLL_INTERVAL_MS);
    this.#timer.unref();
  }

  #hasExpiredSecret(): boolean {
    const now = this.#dependencies.clock.now();
    return this.#current.stored.settings.some(
      ({ secret }) => secret?.previous !== null && secret?.previous !== undefined && secret.previous.validUntil <= now,
    );
  }

  /**
   * Re-encrypts secrets with the current key and removes expired previous values. Several servers may do so
   * concurrently.
   */
  async #refreshStaleSecrets(): Promise<void> {
    const { configuration, cipher, store, clock, log } = this.#dependencies;
    const ignored = readIgnoredKeys(configuration.resolve([]).raw.values);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const stored = await store.loadSettings();
      const put = await reencryptStaleSecrets(stored, cipher, clock.now(), ignored);
      if (put.length === 0) return;
      if (
        (await store.changeSettings({ expectedRevision: stored.revision, put, remove: [], audit: [] })) === 'changed'
      ) {
        log.info({ secrets: put.length }, 're-encrypted saved secrets or removed their expired previous values');
        return;
      }
    }
    throw staleRevisionError();
  }

  /** Refuses a change if one of its settings was changed or reset since the first attempt. */
  #assertNotStale(
    initialSettings: StoredSettings,
    { settings }: StoredSettings,
    changedKeys: ReadonlySet<string>,
  ): void {
    const initialRevisions = new Map(initialSettings.settings.map(({ key, revision }) => [key, revision]));
    const currentRevisions = new Map(settings.map(({ key, revision }) => [key, revision]));
    if ([...changedKeys].some((key) => initialRevisions.get(key) !== currentRevisions.get(key)))
      throw staleRevisionError();
  }

  #assertNoErrors({ errors }: SettingsPlan): void {
    if (errors.length === 0) return;
    const hasUnavailableSetting = errors.some(({ code }) => code !== 'invalid');
    throw new ApiError(
      hasUnavailableSetting ? 'unknown_setting' : 'validation_failed',
      `Nothing was saved: ${errors.map(({ message }) => message).join(' ')}`,
      { errors: [...errors] },
    );
  }
}

function staleRevisionError(): ApiError {
  return new ApiError(
    'conflict',
    'Another change to the same settings was saved first, so this change was not saved. Review the settings and try again.',
  );
}

function appendRemedy(problem: HostProblem): HostProblem {
  if (problem.setting === undefined) return problem;
  return {
    ...problem,
    message: `${problem.message} Start with --set Settings:Ignore=${problem.setting} to ignore it, and save it again.`,
  };
}
