import { definePlugin } from '@countersign/core';
import { BpmnError, type Job, JobHandlerContribution, type JsonObject } from '@countersign/core/plugin';
import { injectable } from 'inversify';
import { CONFORMANCE_JOB, THROW_HEADER } from './adapt-model.js';

/** Handler of the cases' service tasks: does nothing, or throws the BPMN error named in the model. */
@injectable()
class ConformanceJob implements JobHandlerContribution {
  readonly jobType = CONFORMANCE_JOB;

  async execute({ headers }: Job): Promise<JsonObject> {
    const code = headers[THROW_HEADER];
    if (code !== undefined) throw new BpmnError(code, 'The BPMN model requires this error.');
    return {};
  }
}

export const conformanceJobPlugin = definePlugin({
  id: 'conformance-job',
  register({ contribute }) {
    contribute(JobHandlerContribution, ConformanceJob);
  },
});
