const TAG_PATTERN = /<(\/?)bpmn:([A-Za-z]+)([^>]*?)(\/?)>/g;
const SIZES: Readonly<Record<string, readonly [number, number]>> = {
  task: [110, 80],
  event: [36, 36],
  gateway: [50, 50],
};
const COLUMN_WIDTH = 170;
const ROW_HEIGHT = 130;
const MARGIN = 50;

interface Node {
  readonly id: string;
  readonly scope: string;
  readonly attachedTo: string | undefined;
  readonly isScope: boolean;
  width: number;
  height: number;
  x: number;
  y: number;
}

interface Flow {
  readonly id: string;
  readonly source: string;
  readonly target: string;
}

/**
 * Adds a diagram to a BPMN model that has none. The elements of each scope are arranged in columns from left to right.
 */
export function addDiagram(xml: string): string {
  const { processId, nodes, flows } = parseModel(xml);
  layOutScope(processId, nodes, flows);
  const shapes = [...nodes.values()].map(
    ({ id, isScope, x, y, width, height }) =>
      `<bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}"${isScope ? ' isExpanded="true"' : ''}><dc:Bounds x="${x}" y="${y}" width="${width}" height="${height}" /></bpmndi:BPMNShape>`,
  );
  const edges = flows.map(({ id, source, target }) => {
    const [from, to] = [nodes.get(source), nodes.get(target)];
    if (from === undefined || to === undefined) return '';
    const points =
      from.attachedTo === undefined
        ? [
            [from.x + from.width, from.y + from.height / 2],
            [to.x, to.y + to.height / 2],
          ]
        : [
            [from.x + from.width / 2, from.y + from.height],
            [from.x + from.width / 2, to.y + to.height / 2],
            [to.x, to.y + to.height / 2],
          ];
    return `<bpmndi:BPMNEdge id="${id}_di" bpmnElement="${id}">${points.map(([x, y]) => `<di:waypoint x="${x}" y="${y}" />`).join('')}</bpmndi:BPMNEdge>`;
  });
  const diagram = `<bpmndi:BPMNDiagram id="diagram"><bpmndi:BPMNPlane id="plane" bpmnElement="${processId}">${shapes.join('')}${edges.join('')}</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>`;
  return xml
    .replace(
      '<bpmn:definitions ',
      '<bpmn:definitions xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" ',
    )
    .replace('</bpmn:definitions>', `${diagram}</bpmn:definitions>`);
}

function parseModel(xml: string) {
  const nodes = new Map<string, Node>();
  const flows: Flow[] = [];
  const scopes: string[] = [];
  let processId = '';
  for (const [, closingSlash, tag = '', attributes = '', selfClosingSlash] of xml.matchAll(TAG_PATTERN)) {
    const id = readAttribute(attributes, 'id');
    const isScope = tag === 'subProcess' || tag === 'adHocSubProcess' || tag === 'transaction';
    if (closingSlash === '/') {
      if (isScope) scopes.pop();
    } else if (tag === 'process') {
      processId = id;
      scopes.push(id);
    } else if (tag === 'sequenceFlow') {
      flows.push({
        id,
        source: readAttribute(attributes, 'sourceRef'),
        target: readAttribute(attributes, 'targetRef'),
      });
    } else if (isScope || /(Task|^task|callActivity|Event|Gateway)$/.test(tag)) {
      const [width, height] = SIZES[/Event$/.test(tag) ? 'event' : /Gateway$/.test(tag) ? 'gateway' : 'task'] ?? [
        110, 80,
      ];
      nodes.set(id, {
        id,
        scope: scopes.at(-1) ?? processId,
        attachedTo: readAttribute(attributes, 'attachedToRef') || undefined,
        isScope,
        width,
        height,
        x: 0,
        y: 0,
      });
      if (isScope && selfClosingSlash !== '/') scopes.push(id);
    }
  }
  return { processId, nodes, flows };
}

function readAttribute(attributes: string, name: string): string {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
}

/**
 * Lays out the elements of a scope, and returns its size. Nested scopes are laid out first, because their content
 * determines their size.
 */
function layOutScope(
  scope: string,
  nodes: ReadonlyMap<string, Node>,
  flows: readonly Flow[],
): { width: number; height: number } {
  const scopeNodes = [...nodes.values()].filter((node) => node.scope === scope);
  for (const node of scopeNodes) if (node.isScope) Object.assign(node, layOutScope(node.id, nodes, flows));
  const columns = assignColumns(scopeNodes, flows);
  const nextTops = new Map<number, number>();
  let right = MARGIN;
  let bottom = MARGIN;
  const columnPositions = new Map<number, number>();
  for (let column = 0, left = MARGIN; column <= Math.max(0, ...columns.values()); column++) {
    columnPositions.set(column, left);
    left += Math.max(
      COLUMN_WIDTH,
      ...scopeNodes.filter(({ id }) => columns.get(id) === column).map(({ width }) => width + 60),
    );
  }
  for (const node of scopeNodes.filter(({ attachedTo }) => attachedTo === undefined)) {
    const column = columns.get(node.id) ?? 0;
    const top = nextTops.get(column) ?? MARGIN;
    const height = Math.max(ROW_HEIGHT, node.height + MARGIN);
    moveNode(
      node,
      columnPositions.get(column) ?? MARGIN,
      top + (ROW_HEIGHT - MARGIN) / 2 - Math.min(node.height, ROW_HEIGHT - MARGIN) / 2,
      nodes,
    );
    nextTops.set(column, top + height);
    right = Math.max(right, node.x + node.width);
    bottom = Math.max(bottom, node.y + node.height);
  }
  for (const node of scopeNodes) {
    const host = node.attachedTo === undefined ? undefined : nodes.get(node.attachedTo);
    if (host !== undefined) moveNode(node, host.x + host.width - 50, host.y + host.height - 18, nodes);
  }
  return { width: right + MARGIN, height: bottom + MARGIN };
}

/** Moves a node and its content. */
function moveNode(node: Node, x: number, y: number, nodes: ReadonlyMap<string, Node>): void {
  const [dx, dy] = [x - node.x, y - node.y];
  node.x = x;
  node.y = y;
  if (node.isScope)
    for (const each of nodes.values()) if (each.scope === node.id) moveNode(each, each.x + dx, each.y + dy, nodes);
}

/** Returns the distance of each element from the start of its scope, in flows. */
function assignColumns(scopeNodes: readonly Node[], flows: readonly Flow[]): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  const targets = new Set(flows.map(({ target }) => target));
  let columnNodeIds = scopeNodes
    .filter(({ id, attachedTo }) => !targets.has(id) && attachedTo === undefined)
    .map(({ id }) => id);
  for (let column = 0; columnNodeIds.length > 0; column++) {
    for (const id of columnNodeIds) if (!columns.has(id)) columns.set(id, column);
    const columnIds = new Set(columnNodeIds);
    const outgoingFlows = flows.filter(
      ({ source }) =>
        columnIds.has(source) || columnIds.has(scopeNodes.find(({ id }) => id === source)?.attachedTo ?? ''),
    );
    columnNodeIds = [...new Set(outgoingFlows.map(({ target }) => target))].filter(
      (id) => !columns.has(id) && scopeNodes.some((node) => node.id === id),
    );
  }
  return columns;
}
