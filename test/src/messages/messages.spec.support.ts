import {
  EnginePort,
  StoragePort,
  type CorrelatedMessage,
  type CorrelateMessageRequest,
  type JsonObject,
  type RunRecord,
} from '@countersign/core';
import { bpmn, createTestHost, type TestHost, type TestHostOptions, waitUntil } from '@countersign/testing';
import { TestClock } from '../conformance/test-clock.js';

const CONTEXT = { actor: { type: 'service', id: 'shop', name: 'Shop' }, from: 'test', traceId: null } as const;

/** Returns a BPMN model with messages, whose correlation key is the variable `key`. */
export const messageModel = bpmn.workflow;

export const catchEvent = (id: string, message: string): string => bpmn.catchEvent(id, bpmn.message(message));
export const messageStartEvent = (id: string, message: string): string => bpmn.startEvent(id, bpmn.message(message));
export const throwEvent = (id: string, message: string): string => bpmn.throwEvent(id, bpmn.message(message));

/** Returns a BPMN model with a start event, a catch event of the message, and an end event. */
export const receivingModel = (id: string, message: string): string =>
  bpmn.sequence(id, bpmn.START, catchEvent('wait', message), bpmn.END);

/** Server for tests of messages, with a clock that the test sets. A second server can share its database. */
export class MessageHost {
  private constructor(
    readonly clock: TestClock,
    readonly server: TestHost,
  ) {}

  static async create(options: TestHostOptions = {}, clock = new TestClock()): Promise<MessageHost> {
    return new MessageHost(clock, await createTestHost({ clock, ...options }));
  }

  createSecondServer(): Promise<MessageHost> {
    return MessageHost.create({ shareDataWith: this.server }, this.clock);
  }

  get storage(): StoragePort {
    return this.server.host.get(StoragePort);
  }

  send(
    messageName: string,
    correlationKey: string,
    overrides: Partial<CorrelateMessageRequest> = {},
  ): Promise<CorrelatedMessage> {
    return this.server.host
      .get(EnginePort)
      .correlateMessage({ context: CONTEXT, messageName, correlationKey, payload: {}, ...overrides });
  }

  async startRun(workflowId: string, inputs: JsonObject = {}): Promise<string> {
    const startResult = await this.server.host.get(EnginePort).startRun({
      context: CONTEXT,
      workflowId,
      inputs,
      businessKey: null,
      respond: ({ run }) => ({ runId: run.runId }),
    });
    return String(startResult.response['runId']);
  }

  async cancel(runId: string): Promise<void> {
    await this.server.host.get(EnginePort).cancelRun({ context: CONTEXT, runId, reason: null, respond: () => ({}) });
  }

  async listRuns(workflowId: string): Promise<readonly RunRecord[]> {
    return (await this.storage.listRuns({ workflowId }, { limit: 200 })).items;
  }

  /** Returns the payloads that a run has received, in order. */
  async listReceivedPayloads(runId: string): Promise<JsonObject[]> {
    const events = await this.storage.listRunEvents(runId, 0, 10_000);
    return events
      .filter(({ type }) => type === 'message.received')
      .map((event) => event.private?.['payload'] as JsonObject);
  }

  /** Waits until the run has ended and returns it. */
  waitUntilEnded(runId: string): Promise<RunRecord> {
    return waitUntil(`run ${runId} ends`, async () => {
      const run = (await this.storage.findRun(runId))?.run;
      return run?.completedAt === null ? undefined : run;
    });
  }
}
