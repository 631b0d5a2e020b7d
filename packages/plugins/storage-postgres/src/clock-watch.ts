import {
  ClockPort,
  FailureLog,
  LoggerPort,
  type ReadinessCheckContribution,
  type ReadinessResult,
} from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { PostgresConfiguration } from './configuration.js';
import type { TimeReading } from './database/postgres-database.js';

/** Corrects the clock of this server by that of the database, and reports an offset that is too large. */
@injectable()
export class ClockWatch implements ReadinessCheckContribution {
  readonly name = 'clock';
  readonly #failures: FailureLog;

  constructor(
    @inject(PostgresConfiguration) private readonly configuration: PostgresConfiguration,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(LoggerPort) log: LoggerPort,
  ) {
    this.#failures = new FailureLog(
      log,
      'cannot fire timers: the clock of this server or of the database is wrong. Synchronize both with a time server',
    );
  }

  applyReading(reading: TimeReading): void {
    this.clock.correct?.({ ...reading, maxOffsetMs: this.configuration.MaxClockOffset });
    const { offset } = this.clock;
    if (offset?.isTooLarge === true) this.#failures.recordFailure(new Error(describeOffset(offset.ms)));
    else this.#failures.recordSuccess();
  }

  async check(): Promise<ReadinessResult> {
    const { offset } = this.clock;
    if (offset === undefined) return { status: 'ok', detail: 'The clock has not been compared with the database.' };
    if (!offset.isTooLarge) return { status: 'ok', detail: 'The clock matches the database.' };
    return { status: 'warn', detail: `${describeOffset(offset.ms)} This server fires no timers.` };
  }
}

function describeOffset(offsetMs: number): string {
  const seconds = Math.abs(Math.round(offsetMs / 1_000));
  return `The clock of this server is ${seconds} s ${offsetMs > 0 ? 'ahead of' : 'behind'} that of the database.`;
}
