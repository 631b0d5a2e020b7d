import type { Interface } from 'node:readline';
import { RECORD_PREFIX } from './log4j2.js';

/** A record of Zeebe's log, with what is read of it. */
export interface ZeebeRecord {
  readonly position: number;
  readonly key: number;
  readonly recordType: 'EVENT' | 'COMMAND' | 'COMMAND_REJECTION';
  readonly valueType: string;
  readonly intent: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const PATIENCE_MS = 15_000;

/** The log of a broker as it grows. */
export class RecordStream {
  readonly records: ZeebeRecord[] = [];
  private listeners: (() => void)[] = [];

  constructor(lines: Interface) {
    lines.on('line', (line) => {
      if (!line.startsWith(RECORD_PREFIX)) return;
      this.records.push(parseRecord(line.slice(RECORD_PREFIX.length - 1)));
      this.wake();
    });
  }

  /** The first record from a place in the log on that is meant, when it comes. @throws where it does not come. */
  async find(from: number, isMeant: (record: ZeebeRecord) => boolean, what: string): Promise<ZeebeRecord> {
    const patience = { over: false };
    const timer = setTimeout(() => {
      patience.over = true;
      this.wake();
    }, PATIENCE_MS);
    try {
      for (let index = from; ; ) {
        const record = this.records[index];
        if (record !== undefined && isMeant(record)) return record;
        if (record !== undefined) index += 1;
        else if (patience.over) throw new Error(`Zeebe has not written within ${PATIENCE_MS} ms: ${what}.`);
        else await new Promise<void>((resolve) => this.listeners.push(resolve));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  private wake(): void {
    for (const listener of this.listeners.splice(0)) listener();
  }
}

/** Keys stay below 2^53 on the first partition: 1 << 51, counted up. */
function parseRecord(text: string): ZeebeRecord {
  return JSON.parse(text) as ZeebeRecord;
}
