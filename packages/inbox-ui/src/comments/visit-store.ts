import { Listeners } from '../ui/listeners.js';

/** What a user has seen of an approval in one round. */
export interface Visit {
  /** Time of the last comment that was displayed, as stated by the server; empty if there was none. */
  readonly lastCommentAt: string;
}

/** Maximum number of stored visits. The oldest ones are forgotten first. */
const MAX_VISITS = 1_000;
const MAX_TIME_LENGTH = 40;

/**
 * Remembers at which approvals the user has looked in this browser, and up to which comment. The server does not store
 * it: nobody needs to know who reads what.
 */
export class VisitStore {
  private visits: ReadonlyMap<string, Visit>;
  private readonly listeners = new Listeners();

  /** @param key distinguishes the users of a browser */
  constructor(
    private readonly storage: Pick<Storage, 'getItem' | 'setItem'>,
    private readonly key: string,
  ) {
    this.visits = parseVisits(readItem(storage, key));
  }

  /** Returns the current visits by approval id. Only `record` replaces them. */
  readonly getSnapshot = (): ReadonlyMap<string, Visit> => this.visits;

  readonly subscribe = this.listeners.subscribe;

  record(approvalId: string, lastCommentAt: string): void {
    const known = this.visits.get(approvalId);
    if (known !== undefined && known.lastCommentAt >= lastCommentAt) return;
    // Another tab may have recorded further visits.
    const visits = new Map(parseVisits(readItem(this.storage, this.key)));
    visits.delete(approvalId);
    visits.set(approvalId, { lastCommentAt });
    for (const oldest of visits.keys()) {
      if (visits.size <= MAX_VISITS) break;
      visits.delete(oldest);
    }
    this.visits = visits;
    try {
      this.storage.setItem(this.key, JSON.stringify([...visits].map(([id, visit]) => [id, visit.lastCommentAt])));
    } catch {
      // Without space in the browser's storage, the visit is remembered until the page is closed.
    }
    this.listeners.notify();
  }
}

function readItem(storage: Pick<Storage, 'getItem'>, key: string): string | null {
  try {
    return storage.getItem(key);
  } catch {
    return null;
  }
}

/** Parses stored visits. Anything invalid is left out, because any script of this origin can write to the storage. */
function parseVisits(text: string | null): ReadonlyMap<string, Visit> {
  try {
    const stored = JSON.parse(text ?? '[]') as unknown;
    if (!Array.isArray(stored)) return new Map();
    return new Map(
      stored.slice(-MAX_VISITS).flatMap((each: unknown): [string, Visit][] => {
        const [id, lastCommentAt] = Array.isArray(each) ? (each as unknown[]) : [];
        return typeof id === 'string' && typeof lastCommentAt === 'string' && lastCommentAt.length <= MAX_TIME_LENGTH
          ? [[id, { lastCommentAt }]]
          : [];
      }),
    );
  } catch {
    return new Map();
  }
}
