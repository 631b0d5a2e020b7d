import type { Json, JsonObject } from '@countersign/core/plugin';
import { byScope } from '../scopes.js';
import type { ObservedRun } from '../side.js';
import type { ZeebeRecord } from './record-stream.js';

/** A job or a user task that waits to be done. */
export interface OpenWork {
  readonly key: number;
  readonly elementId: string;
  readonly type: string;
  /** Counted from 1 among the jobs of its element. */
  readonly turn: number;
}

interface OpenTimer {
  readonly key: number;
  readonly elementId: string;
  readonly dueAt: number;
}

const NOT_STEPS: ReadonlySet<unknown> = new Set(['PROCESS', 'SEQUENCE_FLOW']);

/** What the log says of the instances of some definitions. */
export class CaseRecords {
  private readonly events: readonly ZeebeRecord[];

  constructor(records: readonly ZeebeRecord[], definitions: ReadonlySet<number>) {
    this.events = records.filter(({ recordType, value }) => recordType === 'EVENT' && definitions.has(Number(value['processDefinitionKey'])));
  }

  jobs(): OpenWork[] {
    return this.openWork('JOB', ['COMPLETED', 'CANCELED', 'ERROR_THROWN', 'FAILED']);
  }

  userTasks(): OpenWork[] {
    return this.openWork('USER_TASK', ['COMPLETED', 'CANCELED']);
  }

  /** The next one first; of those at one time, the one that was set first. */
  timers(): OpenTimer[] {
    return this.open('TIMER', ['TRIGGERED', 'CANCELED'])
      .map(({ key, value }) => ({ key, elementId: String(value['targetElementId']), dueAt: Number(value['dueDate']) }))
      .sort((a, b) => a.dueAt - b.dueAt || a.key - b.key);
  }

  /** Keys of the instances that have not ended, the oldest first; not those that another one calls. */
  live(processId?: string): number[] {
    const ended = new Set(this.events.filter(isEndOfProcess).map(({ key }) => key));
    return this.instances()
      .filter(({ key, value }) => !ended.has(key) && Number(value['parentProcessInstanceKey']) === -1 && (processId === undefined || value['bpmnProcessId'] === processId))
      .map(({ key }) => key);
  }

  observe(scopes: ReadonlyMap<string, string>): ObservedRun[] {
    const incidents = this.open('INCIDENT', ['RESOLVED']);
    // An incident itself names no element where nothing catches an error.
    const elements = new Map(this.events.filter(({ valueType }) => valueType === 'PROCESS_INSTANCE').map((each) => [each.key, String(each.value['elementId'])]));
    return this.instances().map(({ key, value }) => {
      const own = this.events.filter((each) => each.value['processInstanceKey'] === key);
      const failed = incidents.filter((each) => each.value['processInstanceKey'] === key).map((each) => elements.get(Number(each.value['elementInstanceKey'])) ?? '?');
      const end = own.find(isEndOfProcess)?.intent;
      return {
        processId: String(value['bpmnProcessId']),
        status: end === 'ELEMENT_COMPLETED' ? 'completed' : end !== undefined ? 'ended otherwise' : failed.length > 0 ? 'incident' : 'waits',
        completed: byScope(stepsOf(own, 'ELEMENT_COMPLETED'), scopes),
        terminated: stepsOf(own, 'ELEMENT_TERMINATED').map(({ elementId, isBody }) => (isBody ? `${elementId}[]` : elementId)),
        incidents: failed,
        variables: variablesOf(own, key),
      };
    });
  }

  private instances(): ZeebeRecord[] {
    return this.events.filter(({ valueType, intent, value }) => valueType === 'PROCESS_INSTANCE' && intent === 'ELEMENT_ACTIVATING' && value['bpmnElementType'] === 'PROCESS');
  }

  private openWork(valueType: string, ends: readonly string[]): OpenWork[] {
    const turns = new Map<string, number>();
    const created = this.events.filter((each) => each.valueType === valueType && each.intent === 'CREATED');
    const open = new Set(this.open(valueType, ends).map(({ key }) => key));
    const all = created.map(({ key, value }) => {
      const elementId = String(value['elementId']);
      const turn = (turns.get(elementId) ?? 0) + 1;
      turns.set(elementId, turn);
      return { key, elementId, type: String(value['type'] ?? ''), turn };
    });
    return all.filter(({ key }) => open.has(key));
  }

  private open(valueType: string, ends: readonly string[]): ZeebeRecord[] {
    const own = this.events.filter((each) => each.valueType === valueType);
    const ended = new Set(own.filter(({ intent }) => ends.includes(intent)).map(({ key }) => key));
    return own.filter(({ key, intent }) => intent === 'CREATED' && !ended.has(key));
  }
}

function isEndOfProcess({ valueType, intent, value }: ZeebeRecord): boolean {
  return valueType === 'PROCESS_INSTANCE' && value['bpmnElementType'] === 'PROCESS' && (intent === 'ELEMENT_COMPLETED' || intent === 'ELEMENT_TERMINATED');
}

function stepsOf(own: readonly ZeebeRecord[], wanted: string): { elementId: string; isBody: boolean }[] {
  return own
    .filter(({ valueType, intent, value }) => valueType === 'PROCESS_INSTANCE' && intent === wanted && isStep(value))
    .map(({ value }) => ({ elementId: String(value['elementId']), isBody: value['bpmnElementType'] === 'MULTI_INSTANCE_BODY' }));
}

/** The boundary event of a compensation has no token: it only says what the handler is (BPMN 2.0, 13.5.5). */
function isStep({ bpmnElementType, bpmnEventType }: ZeebeRecord['value']): boolean {
  return !NOT_STEPS.has(bpmnElementType) && !(bpmnElementType === 'BOUNDARY_EVENT' && bpmnEventType === 'COMPENSATION');
}

function variablesOf(own: readonly ZeebeRecord[], scope: number): JsonObject {
  const found: Record<string, Json> = {};
  for (const { valueType, value } of own) {
    if (valueType === 'VARIABLE' && value['scopeKey'] === scope) found[String(value['name'])] = JSON.parse(String(value['value'])) as Json;
  }
  return found;
}
