/** Element that tokens can enter. */
export interface MappedElement {
  readonly id: string;
  /** BPMN type in the form used by steps: `userTask`. */
  readonly type: string;
  readonly name: string | undefined;
  /** Id of the process or sub-process that contains it. */
  readonly scope: string;
  /** For boundary events: the activity they are attached to. */
  readonly attachedTo: string | undefined;
  readonly loop: 'parallel' | 'sequential' | 'standard' | undefined;
  /** Whether the element is outside the flow and compensates another. */
  readonly compensates: boolean;
}

export interface MappedFlow {
  readonly id: string;
  readonly source: string;
  readonly target: string;
}

/** Parts of the BPMN model that the views of a run need. */
export interface ModelIndex {
  readonly elements: ReadonlyMap<string, MappedElement>;
  /** Sequence flows by target element. */
  readonly incoming: ReadonlyMap<string, readonly MappedFlow[]>;
  readonly outgoing: ReadonlyMap<string, readonly MappedFlow[]>;
}

interface Moddle {
  readonly $type: string;
  readonly id?: string;
  readonly name?: string;
  readonly flowElements?: readonly Moddle[];
  readonly sourceRef?: Moddle;
  readonly targetRef?: Moddle;
  readonly attachedToRef?: Moddle;
  readonly isForCompensation?: boolean;
  readonly loopCharacteristics?: Moddle & { readonly isSequential?: boolean };
}

/** @param definitions a parsed BPMN file (`readDefinitions`) */
export function buildModelIndex(definitions: object): ModelIndex {
  const elements = new Map<string, MappedElement>();
  const incoming = new Map<string, MappedFlow[]>();
  const outgoing = new Map<string, MappedFlow[]>();
  const read = (scope: Moddle): void => {
    for (const each of scope.flowElements ?? []) {
      const { id } = each;
      if (id === undefined) continue;
      if (each.$type === 'bpmn:SequenceFlow') {
        const flow = { id, source: each.sourceRef?.id ?? '', target: each.targetRef?.id ?? '' };
        add(incoming, flow.target, flow);
        add(outgoing, flow.source, flow);
        continue;
      }
      elements.set(id, mapped(each, id, scope.id ?? ''));
      read(each);
    }
  };
  for (const each of (definitions as { readonly rootElements?: readonly Moddle[] }).rootElements ?? [])
    if (each.$type === 'bpmn:Process') read(each);
  return { elements, incoming, outgoing };
}

function mapped(element: Moddle, id: string, scope: string): MappedElement {
  const { $type, name, attachedToRef, isForCompensation = false, loopCharacteristics: loop } = element;
  const type = $type.slice('bpmn:'.length);
  return {
    id,
    type: `${type.charAt(0).toLowerCase()}${type.slice(1)}`,
    name,
    scope,
    attachedTo: attachedToRef?.id,
    loop:
      loop === undefined
        ? undefined
        : loop.$type === 'bpmn:StandardLoopCharacteristics'
          ? 'standard'
          : loop.isSequential === true
            ? 'sequential'
            : 'parallel',
    compensates: isForCompensation,
  };
}

function add<V>(map: Map<string, V[]>, key: string, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
