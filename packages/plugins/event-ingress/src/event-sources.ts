import { ClockPort } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { LiveEventIngress, type EventSource } from './configuration.js';

/**
 * Recommended minimum length of a secret, in bytes. A shorter secret is too easy to guess (RFC 2104, 3 recommends the
 * length of the hash).
 */
const MIN_RECOMMENDED_SECRET_BYTES = 24;

/** Registered systems in their current configuration. */
@injectable()
export class EventSources {
  #indexedSources: readonly EventSource[] | undefined;
  #byId: ReadonlyMap<string, EventSource> = new Map();

  constructor(
    @inject(LiveEventIngress) private readonly live: LiveEventIngress,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  get enabled(): boolean {
    return this.live.current.Integrations.EventIngress.Enabled;
  }

  find(id: string): EventSource | undefined {
    const { all } = this;
    if (this.#indexedSources !== all) {
      this.#byId = new Map(all.map((source) => [source.Id, source]));
      this.#indexedSources = all;
    }
    return this.#byId.get(id);
  }

  /**
   * Returns the secrets that a source may sign with; none if the source is disabled, because an empty secret must not
   * verify anything.
   */
  acceptedSecrets({ Secret, PreviousSecret }: EventSource): readonly string[] {
    const now = this.clock.now();
    return Secret.isSet ? [...Secret.acceptedValues(now), ...PreviousSecret.acceptedValues(now)] : [];
  }

  /** Returns the highest number of secrets of any source. */
  get maxSecrets(): number {
    return this.all.reduce((max, source) => Math.max(max, this.acceptedSecrets(source).length), 1);
  }

  /** Returns the number of usable and disabled sources, and the ids of those with short secrets. */
  describe(): {
    readonly usableCount: number;
    readonly disabledCount: number;
    readonly idsWithShortSecrets: readonly string[];
  } {
    const usableSources = this.all.filter((source) => this.acceptedSecrets(source).length > 0);
    const sourcesWithShortSecrets = usableSources.filter((source) =>
      this.acceptedSecrets(source).some((secret) => Buffer.byteLength(secret) < MIN_RECOMMENDED_SECRET_BYTES),
    );
    return {
      usableCount: usableSources.length,
      disabledCount: this.all.length - usableSources.length,
      idsWithShortSecrets: sourcesWithShortSecrets.map(({ Id }) => Id),
    };
  }

  onChange(listener: () => void): () => void {
    return this.live.onChange(listener);
  }

  get all(): readonly EventSource[] {
    return this.live.current.Integrations.EventIngress.Sources;
  }
}

/** Returns a warning for operators about sources with short secrets. */
export function buildShortSecretsWarning(ids: readonly string[]): string {
  return `Secrets of event sources are shorter than ${MIN_RECOMMENDED_SECRET_BYTES} bytes: ${ids.join(', ')}.`;
}
