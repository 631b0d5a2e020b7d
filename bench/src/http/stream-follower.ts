import type { ApiCaller } from './api-caller.js';
import { ExpectedValues, type Follower } from './follower.js';

const DATA_PREFIX = 'data: ';

interface Change {
  readonly runId: string;
  readonly type: string;
  readonly data: { readonly approvalId?: string };
}

/** Client that listens to the change feed (server-sent events) for all runs. */
export class StreamFollower implements Follower {
  private readonly approvals = new ExpectedValues();
  private readonly ends = new ExpectedValues();
  private readonly controller = new AbortController();
  private listenLoop: Promise<void> | undefined;

  constructor(private readonly caller: ApiCaller) {}

  async start(): Promise<void> {
    const lines = this.caller.streamLines('/api/events', this.controller.signal);
    // The first line arrives when the server has subscribed the client.
    await lines.next();
    this.listenLoop = this.listen(lines);
  }

  waitForApproval(runId: string): Promise<string> {
    return this.approvals.waitFor(runId);
  }

  waitForEnd(runId: string): Promise<string> {
    return this.ends.waitFor(runId);
  }

  async stop(): Promise<void> {
    this.controller.abort();
    await this.listenLoop;
  }

  private async listen(lines: AsyncIterable<string>): Promise<void> {
    for await (const line of lines) {
      if (!line.startsWith(DATA_PREFIX)) continue;
      const { runId, type, data } = JSON.parse(line.slice(DATA_PREFIX.length)) as Change;
      if (type === 'approval.requested' && data.approvalId !== undefined) this.approvals.notify(runId, data.approvalId);
      else if (type === 'run.completed') this.ends.notify(runId, 'completed');
    }
  }
}
