import { ClockPort, EnginePort, StoragePort } from '@countersign/core';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ServerHost } from '../app/server-host.js';
import { withTimeout } from '../app/with-timeout.js';

/** Time limit of a metric that is read from the database, so that a metrics response is sent within a second. */
const COLLECT_TIMEOUT_MS = 900;

/** The metrics of one host. Each host in a process has its own registry. */
export class Metrics {
  readonly registry = new Registry();
  private readonly requests: Histogram<'method' | 'route' | 'status'>;
  private readonly operations: Counter<'operation'>;
  private readonly streams: Gauge;

  constructor(host: ServerHost) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.requests = new Histogram({
      name: 'countersign_http_request_duration_seconds',
      help: 'Time until the response to a request was complete, excluding event streams.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.operations = new Counter({
      name: 'countersign_commands_total',
      help: 'Commands executed for callers, by operation (startRun, decideApproval, …).',
      labelNames: ['operation'],
      registers,
    });
    this.streams = new Gauge({ name: 'countersign_event_streams', help: 'Open event streams.', registers });
    const jobs = new Gauge({
      name: 'countersign_jobs_active',
      help: 'Jobs that this process is executing, by job type.',
      labelNames: ['job_type'],
      registers,
      collect: async () => {
        const { workers } = await host.get(EnginePort).status();
        jobs.reset();
        for (const { jobType, active } of workers) jobs.set({ job_type: jobType }, active);
      },
    });
    const failing = new Gauge({
      name: 'countersign_work_failing',
      help: 'Failing work that this process retries with increasing pauses: runs with timers, start timers, messages between runs.',
      labelNames: ['work'],
      registers,
      collect: async () => {
        const { failing: failingWork = [] } = await host.get(EnginePort).status();
        for (const { work, count } of failingWork) failing.set({ work }, count);
      },
    });
    const notStorable = new Counter({
      name: 'countersign_commands_not_storable_total',
      help: 'Commands whose result could not be computed or stored and that therefore ended in an incident or a rejection.',
      registers,
      collect: async () => {
        const { commandsNotStorable = 0 } = await host.get(EnginePort).status();
        notStorable.reset();
        notStorable.inc(commandsNotStorable);
      },
    });
    const clock = new Gauge({
      name: 'countersign_clock_offset_seconds',
      help: 'Clock of this server minus the clock of the database; NaN if the offset is unknown.',
      registers,
      collect: () => {
        const { offset } = host.get(ClockPort);
        clock.set(offset === undefined ? Number.NaN : offset.ms / 1_000);
      },
    });
    const messages = new Gauge({
      name: 'countersign_messages_buffered',
      help: 'Buffered messages that wait for a subscription, in the whole database.',
      registers,
      collect: async () => {
        messages.set(
          await withTimeout(
            COLLECT_TIMEOUT_MS,
            host.get(StoragePort).countBufferedMessages(host.get(ClockPort).now()),
          ).catch(() => Number.NaN),
        );
      },
    });
  }

  recordRequest(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status: String(status) }, seconds);
  }

  recordCommand(operation: string): void {
    this.operations.inc({ operation });
  }

  setOpenStreamCount(count: number): void {
    this.streams.set(count);
  }
}
