export interface ScopeTraits {
  readonly isAdHoc?: boolean;
  readonly isInTransaction?: boolean;
  /** Whether the scope may have an event sub-process that compensates it. */
  readonly allowsCompensation?: boolean;
}

/** Writes the contents of one scope: nodes, the flows between them, and associations. */
export class ScopeWriter {
  /** Ids of the activities that a compensation throw event may refer to. */
  readonly compensable: string[] = [];
  private readonly nodes: (() => string)[] = [];
  private readonly flows: string[] = [];
  private readonly artifacts: string[] = [];
  private readonly outgoing = new Map<string, string[]>();
  private readonly conditionalGateways = new Set<string>();

  readonly isAdHoc: boolean;
  readonly isInTransaction: boolean;
  readonly allowsCompensation: boolean;

  constructor(
    private readonly nextId: (prefix: string) => string,
    { isAdHoc = false, isInTransaction = false, allowsCompensation = false }: ScopeTraits = {},
  ) {
    this.isAdHoc = isAdHoc;
    this.isInTransaction = isInTransaction;
    this.allowsCompensation = allowsCompensation;
  }

  /** Adds a node, and returns its id. @param content XML, or a function that renders it once the scope is complete */
  node(type: string, prefix: string, content: string | (() => string) = '', attributes = ''): string {
    const id = this.nextId(prefix);
    const renderContent = typeof content === 'string' ? (): string => content : content;
    this.nodes.push(
      () => `<bpmn:${type} id="${id}"${attributes}${this.renderDefaultAttribute(id)}>${renderContent()}</bpmn:${type}>`,
    );
    return id;
  }

  /**
   * Adds a gateway. The outgoing flows of an exclusive, inclusive or complex gateway have conditions, except the last
   * one, which is the default flow.
   */
  gateway(kind: string, content = ''): string {
    const id = this.node(`${kind}Gateway`, 'g', content);
    if (kind === 'exclusive' || kind === 'inclusive' || kind === 'complex') this.conditionalGateways.add(id);
    return id;
  }

  flow(from: string, to: string, condition = 'true'): void {
    const id = this.nextId('f');
    const outgoingFlowIds = this.outgoing.get(from) ?? [];
    outgoingFlowIds.push(id);
    this.outgoing.set(from, outgoingFlowIds);
    this.flows.push(`${id} ${from} ${to} ${condition}`);
  }

  associate(from: string, to: string): void {
    this.artifacts.push(
      `<bpmn:association id="${this.nextId('a')}" sourceRef="${from}" targetRef="${to}" associationDirection="One"/>`,
    );
  }

  /** Ends a branch. There are no end events in an ad-hoc sub-process. */
  endBranch(from: string): void {
    this.flow(from, this.isAdHoc ? this.node('manualTask', 't') : this.node('endEvent', 'e'));
  }

  toXml(): string {
    return [
      ...this.nodes.map((node) => node()),
      ...this.flows.map((flow) => this.renderFlow(flow)),
      ...this.artifacts,
    ].join('\n');
  }

  private renderFlow(flow: string): string {
    const [id = '', from = '', to = '', ...conditionWords] = flow.split(' ');
    const isConditional =
      this.conditionalGateways.has(from) &&
      (this.outgoing.get(from)?.length ?? 0) > 1 &&
      this.outgoing.get(from)?.at(-1) !== id;
    const condition = isConditional
      ? `<bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">=${escapeXml(conditionWords.join(' '))}</bpmn:conditionExpression>`
      : '';
    return `<bpmn:sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}">${condition}</bpmn:sequenceFlow>`;
  }

  private renderDefaultAttribute(id: string): string {
    const outgoingFlowIds = this.outgoing.get(id) ?? [];
    return this.conditionalGateways.has(id) && outgoingFlowIds.length > 1
      ? ` default="${outgoingFlowIds.at(-1) ?? ''}"`
      : '';
  }
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
