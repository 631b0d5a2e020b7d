export interface ScopeTraits {
  readonly isAdHoc?: boolean;
  readonly isInTransaction?: boolean;
  /** Whether the scope may have an event sub-process that compensates it. */
  readonly isCompensated?: boolean;
}

/** Writes the contents of one scope: nodes, the flows between them, associations. */
export class ScopeWriter {
  /** Activities that can be compensated, and that a throw event may refer to. */
  readonly compensable: string[] = [];
  private readonly nodes: (() => string)[] = [];
  private readonly flows: string[] = [];
  private readonly artifacts: string[] = [];
  private readonly leaving = new Map<string, string[]>();
  private readonly choosing = new Set<string>();

  readonly isAdHoc: boolean;
  readonly isInTransaction: boolean;
  readonly isCompensated: boolean;

  constructor(
    private readonly nextId: (prefix: string) => string,
    { isAdHoc = false, isInTransaction = false, isCompensated = false }: ScopeTraits = {},
  ) {
    this.isAdHoc = isAdHoc;
    this.isInTransaction = isInTransaction;
    this.isCompensated = isCompensated;
  }

  /** @param content a function if the content depends on the complete scope */
  node(type: string, prefix: string, content: string | (() => string) = '', attributes = ''): string {
    const id = this.nextId(prefix);
    const inside = typeof content === 'string' ? (): string => content : content;
    this.nodes.push(() => `<bpmn:${type} id="${id}"${attributes}${this.defaultOf(id)}>${inside()}</bpmn:${type}>`);
    return id;
  }

  /** Adds a gateway. If it chooses, its outgoing flows have conditions except the last, which is the default flow. */
  gateway(kind: string, content = ''): string {
    const id = this.node(`${kind}Gateway`, 'g', content);
    if (kind === 'exclusive' || kind === 'inclusive' || kind === 'complex') this.choosing.add(id);
    return id;
  }

  flow(from: string, to: string, condition = 'true'): void {
    const id = this.nextId('f');
    const leaving = this.leaving.get(from) ?? [];
    leaving.push(id);
    this.leaving.set(from, leaving);
    this.flows.push(`${id} ${from} ${to} ${condition}`);
  }

  associate(from: string, to: string): void {
    this.artifacts.push(
      `<bpmn:association id="${this.nextId('a')}" sourceRef="${from}" targetRef="${to}" associationDirection="One"/>`,
    );
  }

  /** Ends a branch. There are no end events in an ad-hoc sub-process. */
  finish(from: string): void {
    this.flow(from, this.isAdHoc ? this.node('manualTask', 't') : this.node('endEvent', 'e'));
  }

  text(): string {
    return [
      ...this.nodes.map((node) => node()),
      ...this.flows.map((flow) => this.flowText(flow)),
      ...this.artifacts,
    ].join('\n');
  }

  private flowText(flow: string): string {
    const [id = '', from = '', to = '', ...words] = flow.split(' ');
    const isChosen =
      this.choosing.has(from) && (this.leaving.get(from)?.length ?? 0) > 1 && this.leaving.get(from)?.at(-1) !== id;
    const condition = isChosen
      ? `<bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">=${escaped(words.join(' '))}</bpmn:conditionExpression>`
      : '';
    return `<bpmn:sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}">${condition}</bpmn:sequenceFlow>`;
  }

  private defaultOf(id: string): string {
    const leaving = this.leaving.get(id) ?? [];
    return this.choosing.has(id) && leaving.length > 1 ? ` default="${leaving.at(-1) ?? ''}"` : '';
  }
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
