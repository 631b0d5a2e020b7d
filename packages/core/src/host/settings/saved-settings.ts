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
import { ignoredSettings } from '../configuration/apply-saved.js';
import type { CoreConfiguration } from '../configuration/core-configuration.js';
import type { SavedSetting } from '../configuration/layers.js';
import type { HostProblem } from '../../errors/host-problem.js';
import { HostStartError } from '../../errors/host-start-error.js';
import type { CatalogueEntry, HostSettings } from './host-settings.js';
import { KeyRing } from './key-ring.js';
import { LiveConfiguration } from './live-configuration.js';
import { settingViews } from './setting-view.js';
import { planChange, type SettingsPlan, type SettingsRequest } from './settings-change.js';
import { HostRebuildRequired } from './host-rebuild-required.js';
import { decryptSettings, staleSecrets } from './stored-secrets.js';
import { writableChange } from './writable-change.js';

/** Poll interval in ms: maximum delay until a change reaches the other server processes. */
const POLL_MS = 1_000;
/** Maximum number of attempts when concurrent writers change the settings first. */
const MAX_ATTEMPTS = 10;

interface SavedSettingsParts {
  readonly configuration: LiveConfiguration;
  readonly store: SettingsStore;
  readonly ring: KeyRing;
  readonly clock: ClockPort;
  readonly log: LoggerPort;
}

/** The saved settings as last loaded by this process. */
interface Known {
  readonly stored: StoredSettings;
  readonly saved: readonly SavedSetting[];
  readonly unfit: readonly string[];
}

/** Applies the settings saved by admins and polls for changes. Started directly after the storage. */
@injectable()
export class SavedSettings implements HostSettings, LifecycleContribution {
  readonly name = 'settings';
  readonly #parts: SavedSettingsParts;
  #known: Known = { stored: { revision: -1, settings: [] }, saved: [], unfit: [] };
  #trouble: unknown;
  #timer: NodeJS.Timeout | undefined;
  #following: Promise<void> = Promise.resolve();

  readonly #failures: FailureLog;

  constructor(
    @inject(LiveConfiguration) configuration: LiveConfiguration,
    @inject(StoragePort) store: SettingsStore,
    @inject(KeyRing) ring: KeyRing,
    @inject(ClockPort) clock: ClockPort,
    @inject(LoggerPort) log: LoggerPort,
    @inject(StartMode) private readonly mode: StartMode,
  ) {
    this.#parts = { configuration, store, ring, clock, log };
    this.#failures = new FailureLog(log, 'the saved settings cannot be applied');
  }

  /**
   * Loads and applies the saved settings.
   *
   * @throws {HostRebuildRequired} if the start mode allows a rebuild and a saved setting requires a new host
   */
  async start(): Promise<void> {
    await this.#tidy();
    const known = await this.#load();
    const waiting = this.#parts.configuration.waiting(known.saved);
    if (this.mode.rebuild && waiting.length > 0) throw new HostRebuildRequired(known.saved);
    this.#take(known);
    this.#schedule();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#following;
  }

  async catalogue(): Promise<readonly CatalogueEntry[]> {
    await this.#follow();
    const { stored, saved } = this.#known;
    const rotated = new Map(stored.settings.map(({ key, secret }) => [key, secret?.rotatedAt ?? null]));
    return settingViews(this.#parts.configuration.resolve(saved)).map((view) => ({
      ...view,
      lastRotatedAt: rotated.get(view.key) ?? null,
    }));
  }

  async change(request: SettingsRequest, caller: Pick<Caller, 'actor' | 'from'>): Promise<readonly CatalogueEntry[]> {
    const touched = new Set([...Object.keys(request.values), ...Object.keys(request.secrets)]);
    let first: StoredSettings | undefined;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const known = await this.#loadToChange();
      first ??= known.stored;
      this.#refuseStaleRevision(first, known.stored, touched);
      const plan = planChange(
        this.#parts.configuration,
        known.saved,
        known.stored.settings.map(({ key }) => key),
        request,
      );
      this.#refuse(plan);
      const change = await writableChange(plan, known.stored.revision, caller, this.#parts);
      if (change.put.length === 0 && change.remove.length === 0) return this.catalogue();
      if ((await this.#parts.store.changeSettings(change)) === 'changed') return this.catalogue();
    }
    throw isStaleRevision();
  }

  check(): ReadinessResult {
    if (this.#trouble !== undefined)
      return { status: 'fail', detail: 'The saved settings cannot be applied; see the log.' };
    const { saved, unfit } = this.#known;
    const waiting = this.#parts.configuration.waiting(saved);
    const ignored = ignoredSettings(this.#parts.configuration.resolve([]).raw.values).size;
    const remarks = [
      ...(waiting.length > 0 ? [`${waiting.length} wait for a restart`] : []),
      ...(unfit.length > 0 ? [`${unfit.length} have no effect`] : []),
      ...(ignored > 0 ? ['some are ignored (Settings:Ignore)'] : []),
    ];
    return remarks.length === 0
      ? { status: 'ok', detail: 'All saved settings are in effect.' }
      : { status: 'warn', detail: `Of the saved settings, ${remarks.join(', ')}.` };
  }

  /**
   * Loads the saved settings.
   *
   * @throws if a secret cannot be decrypted, or a setting that may enforce a restriction is invalid
   */
  async #load(): Promise<Known> {
    const { configuration, ring, store } = this.#parts;
    const stored = await store.loadSettings();
    const open = stored.settings.filter(({ secret }) => secret === null).map(({ key, value }) => ({ key, value }));
    const { parsed, raw } = configuration.resolve(open);
    const graceMs = (parsed.get('core') as CoreConfiguration | undefined)?.Settings.RotationGrace ?? 0;
    const all = await decryptSettings(stored, ring, { ignored: ignoredSettings(raw.values), graceMs });
    const { usable, unfit, problems } = configuration.fit(all);
    if (problems.length > 0) throw new HostStartError(problems.map(withRemedy));
    return { stored, saved: usable, unfit };
  }

  async #loadToChange(): Promise<Known> {
    try {
      return await this.#load();
    } catch (cause) {
      if (!isStartupError(cause) && !isApiError(cause)) throw cause;
      this.#parts.log.error({ err: cause }, 'could not read the saved settings, so no setting can be changed');
      throw new ApiError(
        'service_unavailable',
        'This server cannot read the saved settings, so it cannot change them. See its log.',
        {},
        { cause },
      );
    }
  }

  #take(known: Known): void {
    const { configuration, log } = this.#parts;
    configuration.apply(known.saved, log);
    const waiting = configuration.waiting(known.saved);
    if (waiting.length > 0) log.warn({ settings: waiting }, 'saved settings wait for a restart');
    if (known.unfit.length > 0)
      log.warn(
        { settings: known.unfit },
        'ignored saved settings: their names are unknown, or their values are no longer valid. Save them again, or reset them',
      );
    this.#known = known;
    this.#trouble = undefined;
  }

  /** Polls sequentially, so that an older revision is never applied after a newer one. */
  #follow(): Promise<void> {
    this.#following = this.#following.then(() => this.#pollNow());
    return this.#following;
  }

  async #pollNow(): Promise<void> {
    const { log, store } = this.#parts;
    try {
      const revision = await store.settingsRevision();
      if (this.#hasExpired()) await this.#tidy();
      else if (revision === this.#known.stored.revision && this.#trouble === undefined) return;
      const known = await this.#load();
      if (known.stored.revision !== this.#known.stored.revision)
        log.info({ revision: known.stored.revision }, 'the saved settings have changed');
      this.#take(known);
      this.#failures.succeeded();
    } catch (error) {
      // Until polling succeeds again, the last known settings stay in effect.
      this.#failures.failed(error);
      this.#trouble = error;
    }
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      void this.#follow().then(() => {
        if (this.#timer !== undefined) this.#schedule();
      });
    }, POLL_MS);
    this.#timer.unref();
  }

  #hasExpired(): boolean {
    const now = this.#parts.clock.now();
    return this.#known.stored.settings.some(
      ({ secret }) => secret?.previous !== null && secret?.previous !== undefined && secret.previous.validUntil <= now,
    );
  }

  /**
   * Re-encrypts secrets with the current key and removes expired previous values. Several servers may do so
   * concurrently.
   */
  async #tidy(): Promise<void> {
    const { configuration, ring, store, clock, log } = this.#parts;
    const ignored = ignoredSettings(configuration.resolve([]).raw.values);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const stored = await store.loadSettings();
      const put = await staleSecrets(stored, ring, clock.now(), ignored);
      if (put.length === 0) return;
      if (
        (await store.changeSettings({ expectedRevision: stored.revision, put, remove: [], audit: [] })) === 'changed'
      ) {
        log.info({ secrets: put.length }, 're-encrypted saved secrets or removed their values from before a rotation');
        return;
      }
    }
    throw isStaleRevision();
  }

  /** Refuses a change if one of its settings was changed or reset since the first attempt. */
  #refuseStaleRevision(first: StoredSettings, { settings }: StoredSettings, touched: ReadonlySet<string>): void {
    const before = new Map(first.settings.map(({ key, revision }) => [key, revision]));
    const now = new Map(settings.map(({ key, revision }) => [key, revision]));
    if ([...touched].some((key) => before.get(key) !== now.get(key))) throw isStaleRevision();
  }

  #refuse({ errors }: SettingsPlan): void {
    if (errors.length === 0) return;
    const unknown = errors.some(({ code }) => code !== 'invalid');
    throw new ApiError(
      unknown ? 'unknown_setting' : 'validation_failed',
      `Nothing was saved: ${errors.map(({ message }) => message).join(' ')}`,
      { errors: [...errors] },
    );
  }
}

function isStaleRevision(): ApiError {
  return new ApiError(
    'conflict',
    'Another change of the same settings was saved first; nothing was saved. Review them and try again.',
  );
}

function withRemedy(problem: HostProblem): HostProblem {
  if (problem.setting === undefined) return problem;
  return {
    ...problem,
    message: `${problem.message} Start with --set Settings:Ignore=${problem.setting} to ignore it, and save it again.`,
  };
}
