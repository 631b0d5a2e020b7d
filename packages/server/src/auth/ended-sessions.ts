import { createHash } from 'node:crypto';
import { toIdentity } from '@countersign/contract';
import type { ClockPort, EndedSession, EndedSessionsStore, LoggerPort } from '@countersign/core';
import { FailureLog } from '@countersign/core/plugin';
import type { Logout } from './logout-token.js';
import type { Principal } from './principal.js';

/** Interval of polling for sessions that ended on other servers, in ms. */
const LOOK_EVERY_MS = 2_000;
/** Time that an ended session is remembered beyond the longest lifetime of its tokens, in ms. */
const KEPT_LONGER_MS = 3_600_000;

type About = Pick<Principal, 'actor' | 'session'>;

/**
 * Sessions that the issuer ended before their tokens expire. Every server keeps all of them in memory, so no request
 * queries the database, and polls for new ones every two seconds.
 */
export class EndedSessions {
  private ended = new Map<string, EndedSession>();
  private position: number | null = null;
  private loaded: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private readonly failures: FailureLog;
  /** Called when sessions were added. */
  onMore: (() => void) | undefined;

  constructor(
    private readonly store: EndedSessionsStore,
    log: LoggerPort,
    /** The clock by which tokens are verified. */
    private readonly clock: Pick<ClockPort, 'now'>,
    /** Maximum lifetime of tokens, in ms. */
    private readonly maxTokenAgeMs: number,
  ) {
    this.failures = new FailureLog(log, 'ended sessions cannot be read');
  }

  /**
   * Resolves when the ended sessions have been loaded.
   *
   * @throws the error of the storage; the next call retries
   */
  ready(): Promise<void> {
    this.loaded ??= this.look().then(
      () => this.again(),
      (error: unknown) => {
        this.loaded = undefined;
        throw error;
      },
    );
    return this.loaded;
  }

  has({ actor, session: { sid, issuedAt } }: About): boolean {
    if (this.ended.size === 0) return false;
    const keys = sid === null ? [ofPerson(actor.id), ofPersonWithoutSession(actor.id)] : [ofPerson(actor.id)];
    if (sid !== null && this.ended.has(ofSession(sid))) return true;
    return keys.some((key) => issuedAt <= (this.ended.get(key)?.endedAt ?? -1));
  }

  /**
   * Records the end of a session or of all sessions of a person.
   *
   * @returns whether the logout message is new
   */
  async end({ jti, sid, subject, issuedAt }: Logout): Promise<boolean> {
    const keptUntil = this.clock.now() + this.maxTokenAgeMs + KEPT_LONGER_MS;
    const person = subject === null ? undefined : (toIdentity(subject) ?? subject);
    const keys = [
      ...(sid === null ? [] : [ofSession(sid)]),
      // Access tokens need not name the session. Those of the person without a session, issued before, end with it.
      ...(person === undefined ? [] : [sid === null ? ofPerson(person) : ofPersonWithoutSession(person)]),
    ];
    const isNew = await this.store.endSessions(
      digest('message', jti),
      keys.map((key) => ({ key, endedAt: issuedAt, keptUntil })),
    );
    await this.look();
    return isNew;
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private again(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      void this.look()
        .then(
          () => this.failures.succeeded(),
          (error: unknown) => this.failures.failed(error),
        )
        .then(() => this.again());
    }, LOOK_EVERY_MS);
    this.timer.unref();
  }

  private async look(): Promise<void> {
    const { sessions, position } = await this.store.endedSince(this.position);
    this.position = position;
    const before = this.ended;
    const now = this.clock.now();
    const next = new Map([...before].filter(([, { keptUntil }]) => keptUntil > now));
    let more = false;
    for (const session of sessions) {
      more ||= (before.get(session.key)?.endedAt ?? -1) < session.endedAt;
      next.set(session.key, session);
    }
    this.ended = next;
    if (more) this.onMore?.();
  }
}

function ofSession(sid: string): string {
  return digest('session', sid);
}

function ofPerson(subject: string): string {
  return digest('person', subject);
}

function ofPersonWithoutSession(subject: string): string {
  return digest('person without session', subject);
}

function digest(kind: string, name: string): string {
  return createHash('sha256').update(`${kind}\0${name}`).digest('hex');
}
