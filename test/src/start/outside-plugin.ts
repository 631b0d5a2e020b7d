import { definePlugin, type Job, JobHandlerContribution, type JsonObject } from '@countersign/core/plugin';
import { injectable } from 'inversify';

/** Executes jobs of type `outside` by a request to the service in the task header `url`. */
@injectable()
class OutsideJob implements JobHandlerContribution {
  readonly jobType = 'outside';

  async execute({ jobId, headers, signal }: Job): Promise<JsonObject> {
    const response = await fetch(headers['url'] ?? '', {
      method: 'POST',
      headers: { 'idempotency-key': jobId },
      signal,
    });
    return { answer: await response.text() };
  }
}

/** Loaded by the `countersign` command, by the path of this file. */
export const outsidePlugin = definePlugin({
  id: 'test',
  register({ contribute }) {
    contribute(JobHandlerContribution, OutsideJob);
  },
});
