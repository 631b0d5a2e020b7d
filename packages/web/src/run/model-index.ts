/** Flow element other than a sequence flow. */
export interface IndexedElement {
  readonly id: string;
  /** BPMN type in the form used by steps: `userTask`. */
  readonly type: string;
  readonly name: string | undefined;
  /** Id of the process or sub-process that contains the element. */
  readonly scope: string;
  /** Id of the activity that a boundary event is attached to; `undefined` for other elements. */
  readonly attachedTo: string | undefined;
  readonly loop: 'parallel' | 'sequential' | 'standard' | undefined;
  /** Whether the element compensates another activity (`isForCompensation`) and so has no sequence flows. */
  readonly compensates: boolean;
}

export interface IndexedFlow {
  readonly id: string;
  readonly source: string;
  readonly target: string;
}

/** Elements and sequence flows of a BPMN model, indexed for the run page. */
export interface ModelIndex {
  readonly elements: ReadonlyMap<string, IndexedElement>;
  /** Sequence flows by target element. */
  readonly incoming: ReadonlyMap<string, readonly IndexedFlow[]>;
  readonly outgoing: ReadonlyMap<string, readonly IndexedFlow[]>;
}

interface ModdleElement {
  readonly $type: string;
  readonly id?: string;
  readonly name?: string;
  readonly flowElements?: readonly ModdleElement[];
  readonly sourceRef?: ModdleElement;
  readonly targetRef?: ModdleElement;
  readonly attachedToRef?: ModdleElement;
  readonly isForCompensation?: boolean;
  readonly loopCharacteristics?: ModdleElement & { readonly isSequential?: boolean };
}

/** Builds the index of a BPMN file that `readDefinitions` has parsed. */
export function buildModelIndex(definitions: object): ModelIndex {
  const elements = new Map<string, IndexedElement>();
  const incoming = new Map<string, IndexedFlow[]>();
  const outgoing = new Map<string, IndexedFlow[]>();
  const readScope = (scope: ModdleElement): void => {
    for (const each of scope.flowElements ?? []) {
      const { id } = each;
      if (id === undefined) continue;
      if (each.$type === 'bpmn:SequenceFlow') {
        const flow = { id, source: each.sourceRef?.id ?? '', target: each.targetRef?.id ?? '' };
        appendTo(incoming, flow.target, flow);
        appendTo(outgoing, flow.source, flow);
        continue;
      }
      elements.set(id, toIndexedElement(each, id, scope.id ?? ''));
      readScope(each);
    }
  };
  for (const each of (definitions as { readonly rootElements?: readonly ModdleElement[] }).rootElements ?? [])
    if (each.$type === 'bpmn:Process') readScope(each);
  return { elements, incoming, outgoing };
}

function toIndexedElement(element: ModdleElement, id: string, scope: string): IndexedElement {
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

function appendTo<V>(map: Map<string, V[]>, key: string, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
