import type { LoggerPort } from '../../ports/logger.js';
import { settingNode } from '../configuration/find-setting.js';
import type { ConfigurationLayers, SavedSetting } from '../configuration/layers.js';
import { resolveConfiguration, type ResolvedConfiguration } from '../configuration/resolve-configuration.js';
import { settingType } from '../configuration/setting-type.js';
import type { SectionNode } from '../configuration/schema-node.js';
import type { ConfigurationPart } from '../configuration/schema-tree.js';
import type { HostProblem } from '../../errors/host-problem.js';
import { LiveValue } from '../live.js';
import { isSecretValue } from '../secret.js';

/** Saved settings, told apart by whether they can be used. */
export interface ApplicableSettings {
  readonly usable: readonly SavedSetting[];
  /** Keys of those that no longer have a home, or that only tune something and no longer fit. */
  readonly unfit: readonly string[];
  /** What is wrong with those that say who may do what: there is no safe value in their place. */
  readonly problems: readonly HostProblem[];
}

/** The configuration of a host while it runs: what it was built with, and those of its values that change. */
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

  /** The part of an owner. @throws where there is none. */
  of(owner: string): LiveValue<unknown> {
    const value = this.#values.get(owner);
    if (value === undefined) throw new Error(`"${owner}" has no configuration.`);
    return value;
  }

  /** The parts of all owners. */
  all(): readonly LiveValue<unknown>[] {
    return [...this.#values.values()];
  }

  /** As it would be with these settings. */
  resolve(saved: readonly SavedSetting[]): ResolvedConfiguration {
    return resolveConfiguration(this.#parts, { ...this.#layers, saved });
  }

  /**
   * Sorts out settings that an earlier or later version saved. What no longer has a home is nobody's; a number or a
   * duration that no longer fits gives way to the configuration below it. Anything else may be what keeps a door shut.
   */
  fit(saved: readonly SavedSetting[]): ApplicableSettings {
    let usable = saved;
    const unfit = new Set<string>();
    for (;;) {
      const { problems, homeless, root } = this.resolve(usable);
      const tuning = problems.flatMap(({ setting }) =>
        setting !== undefined && isTuning(settingNode(root, setting)) ? [setting] : [],
      );
      for (const key of [...homeless, ...tuning]) unfit.add(key);
      const left = usable.filter(({ key }) => !unfit.has(key));
      if (left.length === usable.length) return { usable, unfit: [...unfit], problems };
      usable = left;
    }
  }

  /** Keys of settings that differ from what the host was built with, and that take effect at the next start only. */
  waiting(saved: readonly SavedSetting[]): string[] {
    const built = new Map(this.#built.map((setting) => [setting.key, setting.value]));
    const wanted = new Map(saved.map((setting) => [setting.key, setting.value]));
    return [...new Set([...built.keys(), ...wanted.keys()])].filter(
      (key) => !this.#isLive(key) && !same(built.get(key), wanted.get(key)),
    );
  }

  /**
   * Lets what can take effect at once take effect.
   *
   * @throws where the whole does not hold together; nothing is changed then.
   */
  apply(saved: readonly SavedSetting[], log: Pick<LoggerPort, 'error'>): void {
    const { parsed, problems } = this.resolve([
      ...this.#built.filter(({ key }) => !this.#isLive(key)),
      ...saved.filter(({ key }) => this.#isLive(key)),
    ]);
    if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'));
    for (const [owner, value] of this.#values) {
      try {
        value.change(parsed.get(owner));
      } catch (error) {
        log.error({ err: error, owner }, 'could not follow a change of the settings; a restart does');
      }
    }
  }

  get #built(): readonly SavedSetting[] {
    return this.#layers.saved ?? [];
  }

  #isLive(key: string): boolean {
    return settingNode(this.#root, key)?.live === true;
  }
}

function isTuning(node: Parameters<typeof settingType>[0] | undefined): boolean {
  return node !== undefined && ['number', 'integer', 'duration'].includes(settingType(node));
}

function same(left: SavedSetting['value'] | undefined, right: SavedSetting['value'] | undefined): boolean {
  if (isSecretValue(left) && isSecretValue(right)) return left.reveal() === right.reveal();
  return JSON.stringify(left) === JSON.stringify(right);
}
