import type { LoggerPort } from '../../ports/logger.js';
import { findSettingNode } from '../configuration/find-setting.js';
import type { ConfigurationLayers, SavedSetting } from '../configuration/configuration-layers.js';
import { resolveConfiguration, type ResolvedConfiguration } from '../configuration/resolve-configuration.js';
import { toSettingType } from '../configuration/setting-type.js';
import type { SectionNode } from '../configuration/schema-node.js';
import type { ConfigurationPart } from '../configuration/schema-tree.js';
import type { HostProblem } from '../../errors/host-problem.js';
import { LiveValue } from '../live.js';
import { isSecretValue } from '../secret.js';

/** Saved settings, separated by whether they can be used. */
export interface ApplicableSettings {
  readonly usable: readonly SavedSetting[];
  /** Keys of settings that no longer exist, and of tuning settings (numbers and durations) whose value is invalid. */
  readonly inapplicable: readonly string[];
  /** Problems of the other settings, which may enforce a restriction and therefore have no safe fallback. */
  readonly problems: readonly HostProblem[];
}

/**
 * The configuration of a running host: the values that it was assembled with, and the current values of reloadable
 * settings.
 */
export class LiveConfiguration {
  readonly #parts: readonly ConfigurationPart[];
  readonly #layers: ConfigurationLayers;
  readonly #values: ReadonlyMap<string, LiveValue<unknown>>;
  readonly #root: SectionNode;

  constructor(
    parts: readonly ConfigurationPart[],
    layers: ConfigurationLayers,
    { parsed, root }: Pick<ResolvedConfiguration, 'parsed' | 'root'>,
  ) {
    this.#parts = parts;
    this.#root = root;
    this.#layers = layers;
    this.#values = new Map(parts.map(({ owner }) => [owner, new LiveValue(parsed.get(owner))]));
  }

  /**
   * Returns the part of an owner.
   *
   * @throws {Error} if the owner has no configuration
   */
  getLiveValue(owner: string): LiveValue<unknown> {
    const value = this.#values.get(owner);
    if (value === undefined) throw new Error(`"${owner}" has no configuration.`);
    return value;
  }

  /** Returns the parts of all owners. */
  getLiveValues(): readonly LiveValue<unknown>[] {
    return [...this.#values.values()];
  }

  /** Resolves the configuration with the given saved settings. */
  resolve(saved: readonly SavedSetting[]): ResolvedConfiguration {
    return resolveConfiguration(this.#parts, { ...this.#layers, saved });
  }

  /**
   * Separates the usable settings from those that another version of the server saved. Settings that do not exist are
   * ignored, and so is an invalid number or duration. Any other invalid setting is reported as a problem, because it
   * may enforce a restriction.
   */
  selectApplicable(saved: readonly SavedSetting[]): ApplicableSettings {
    let usable = saved;
    const inapplicable = new Set<string>();
    for (;;) {
      const { problems, unknownSavedKeys, root } = this.resolve(usable);
      const invalidTuningKeys = problems.flatMap(({ setting }) =>
        setting !== undefined && isTuningSetting(findSettingNode(root, setting)) ? [setting] : [],
      );
      for (const key of [...unknownSavedKeys, ...invalidTuningKeys]) inapplicable.add(key);
      const remaining = usable.filter(({ key }) => !inapplicable.has(key));
      if (remaining.length === usable.length) return { usable, inapplicable: [...inapplicable], problems };
      usable = remaining;
    }
  }

  /**
   * Returns the keys of settings that have changed since the host was assembled and take effect only at the next start.
   */
  findKeysAwaitingRestart(saved: readonly SavedSetting[]): string[] {
    const valuesAtStart = new Map(this.#initialSettings.map((setting) => [setting.key, setting.value]));
    const savedValues = new Map(saved.map((setting) => [setting.key, setting.value]));
    return [...new Set([...valuesAtStart.keys(), ...savedValues.keys()])].filter(
      (key) => !this.#isReloadable(key) && !isSameValue(valuesAtStart.get(key), savedValues.get(key)),
    );
  }

  /**
   * Applies the reloadable settings.
   *
   * @throws {Error} if the resulting configuration is invalid; nothing is changed in this case
   */
  apply(saved: readonly SavedSetting[], log: Pick<LoggerPort, 'error'>): void {
    const { parsed, problems } = this.resolve([
      ...this.#initialSettings.filter(({ key }) => !this.#isReloadable(key)),
      ...saved.filter(({ key }) => this.#isReloadable(key)),
    ]);
    if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'));
    for (const [owner, value] of this.#values) {
      try {
        value.change(parsed.get(owner));
      } catch (error) {
        log.error({ err: error, owner }, 'could not apply a change to the settings; restart the server to apply it');
      }
    }
  }

  get #initialSettings(): readonly SavedSetting[] {
    return this.#layers.saved ?? [];
  }

  #isReloadable(key: string): boolean {
    return findSettingNode(this.#root, key)?.reloadable === true;
  }
}

function isTuningSetting(node: Parameters<typeof toSettingType>[0] | undefined): boolean {
  return node !== undefined && ['number', 'integer', 'duration'].includes(toSettingType(node));
}

function isSameValue(left: SavedSetting['value'] | undefined, right: SavedSetting['value'] | undefined): boolean {
  if (isSecretValue(left) && isSecretValue(right)) return left.reveal() === right.reveal();
  return JSON.stringify(left) === JSON.stringify(right);
}
