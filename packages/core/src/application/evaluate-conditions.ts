import { inject, injectable } from 'inversify';
import { LRUCache } from 'lru-cache';
import { findInputProblem, type JsonObject } from '@countersign/model';
import { EnginePort, type CommandResponse } from '../ports/engine.js';
import type { WorkflowVersionRecord } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';
import { buildRequestContext, type Caller } from './caller.js';
import { findInputErrors, inputsInvalidError } from './find-input-errors.js';
import { inputError, type FieldError } from './errors.js';
import { requireCapability } from './require-capability.js';

export interface EvaluateConditionsInput {
  readonly variables: JsonObject;
  readonly businessKey?: string;
  /** Restricts the evaluation to the start events of one workflow. */
  readonly workflowId?: string;
}

type StartEventView = { workflowId: string; workflowVersion: number; elementId: string };

/** Response to an evaluation of conditions. */
export type EvaluatedConditionsView = {
  runs: ({ runId: string } & StartEventView)[];
  refused: (StartEventView & { code: string; message: string })[];
};

/**
 * Starts runs at the conditional start events whose conditions the variables meet (BPMN 2.0, table 10.84
 * "Conditional"). The engine has no data before a run exists, so the client reports each change (as in Camunda 7 and
 * 8.9).
 */
@injectable()
export class EvaluateConditions {
  /** Cached workflow versions, which never change. */
  private readonly versionsCache = new LRUCache<string, WorkflowVersionRecord>({ max: 200 });

  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(StoragePort) private readonly storage: StoragePort,
  ) {}

  /** @throws {ApiError} `inputs_invalid`, `workflow_not_found`, `too_many_conditions`, `result_variable_reserved`, … */
  async execute(input: EvaluateConditionsInput, caller: Caller): Promise<CommandResponse<EvaluatedConditionsView>> {
    requireCapability(this.engine, 'conditional_starts');
    const { variables, workflowId, businessKey = null } = input;
    const problem = findInputProblem(variables, '/variables');
    if (problem !== undefined)
      throw inputError('inputs_invalid', 'The variables contain values that cannot be stored.', [{ ...problem }]);
    const { started, refused, replayed } = await this.engine.evaluateConditions({
      context: buildRequestContext(caller, 'evaluateConditions', {
        variables,
        businessKey,
        workflowId: workflowId ?? null,
      }),
      variables,
      businessKey,
      ...(workflowId === undefined ? {} : { workflowId }),
      admit: (version) => this.admit(version, variables),
    });
    const runs = started.map(({ runId, version, ...startEvent }) => ({
      runId,
      ...startEvent,
      workflowVersion: version,
    }));
    return {
      response: {
        runs,
        refused: refused.map(({ version, ...startEvent }) => ({ ...startEvent, workflowVersion: version })),
      },
      replayed,
    };
  }

  private async admit(
    { workflowId, version }: { workflowId: string; version: number },
    variables: JsonObject,
  ): Promise<void> {
    const fieldErrors = await findInputErrors(await this.loadVersion(workflowId, version), variables);
    if (fieldErrors !== undefined) throw inputsInvalidError(fieldErrors.map(pointToVariables));
  }

  private async loadVersion(workflowId: string, version: number): Promise<WorkflowVersionRecord> {
    const key = `${version}@${workflowId}`;
    const cached = this.versionsCache.get(key);
    if (cached !== undefined) return cached;
    const found = await this.storage.findWorkflowVersion(workflowId, version);
    if (found === undefined) throw new Error(`Version ${version} of workflow "${workflowId}" is not stored.`);
    this.versionsCache.set(key, found);
    return found;
  }
}

/** Points a field error to the variables of the request, which were checked as inputs. */
function pointToVariables({ pointer, ...fieldError }: FieldError): FieldError {
  return { ...fieldError, pointer: pointer.replace(/^\/inputs/, '/variables') };
}
