import NavigatedViewer from 'bpmn-js/lib/NavigatedViewer';

/** A small sign on an element. */
export interface DiagramBadge {
  readonly elementId: string;
  readonly position: 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right' | 'bottom-center';
  /** Text only: what comes from models and runs is never markup. */
  readonly text: string;
  readonly className: string;
  /** Longer, on hover. */
  readonly title?: string;
}

interface Canvas {
  addMarker(element: string, marker: string): void;
  removeMarker(element: string, marker: string): void;
  zoom(to: 'fit-viewport' | number, center?: 'auto'): number;
  viewbox(): { readonly x: number; readonly y: number; readonly width: number; readonly height: number; readonly scale: number; readonly inner: { readonly width: number; readonly height: number } };
  viewbox(box: object): void;
  scrollToElement(element: string, padding?: number): void;
  resized(): void;
}

interface Overlays {
  add(element: string, type: string, overlay: { position: object; html: HTMLElement }): string;
  remove(filter: string | { type: string }): void;
}

interface Registry {
  get(id: string): { readonly id: string } | undefined;
}

const TYPE = 'countersign';
const SELECTED = 'cs-selected';
/** Beyond this a small model would be drawn too large to look right. */
const MAX_ZOOM = 1;

const POSITIONS: Readonly<Record<DiagramBadge['position'], object>> = {
  'top-left': { top: -11, left: -9 },
  'top-right': { top: -11, right: 14 },
  'bottom-left': { bottom: 9, left: -9 },
  'bottom-right': { bottom: 9, right: 14 },
  'bottom-center': { bottom: -2, left: 0 },
};

/** The bpmn-js viewer, told what to mark: it compares with what it has marked before, and touches only what differs. */
export class DiagramView {
  private readonly viewer: InstanceType<typeof NavigatedViewer>;
  private readonly observer: ResizeObserver;
  private marked = new Map<string, string>();
  private badges = new Map<string, string>();
  private selected: string | undefined;
  private fitted = false;

  constructor(
    private readonly container: HTMLElement,
    onSelect: (elementId: string | undefined) => void,
  ) {
    this.viewer = new NavigatedViewer({ container, keyboard: { bind: false } } as never);
    this.viewer.on('element.click', ({ element }: { element: { id: string; type?: string; parent?: unknown; labelTarget?: { id: string } } }) => {
      onSelect(element.parent === undefined || element.parent === null ? undefined : (element.labelTarget?.id ?? element.id));
    });
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(container);
  }

  /** @throws {Error} where the XML can't be drawn. */
  async open(xml: string): Promise<void> {
    await this.viewer.importXML(xml);
    this.fitted = true;
    this.fit();
  }

  has(elementId: string): boolean {
    return this.registry.get(elementId) !== undefined;
  }

  fit(): void {
    if (!this.fitted || this.container.clientWidth === 0) return;
    this.canvas.resized();
    if (this.canvas.zoom('fit-viewport', 'auto') > MAX_ZOOM) this.canvas.zoom(MAX_ZOOM, 'auto');
  }

  mark(marks: ReadonlyMap<string, string>): void {
    for (const [id, classes] of this.marked) if (marks.get(id) !== classes) this.each(id, classes, 'removeMarker');
    for (const [id, classes] of marks) if (this.marked.get(id) !== classes) this.each(id, classes, 'addMarker');
    this.marked = new Map(marks);
  }

  badge(badges: readonly DiagramBadge[]): void {
    const wanted = new Map(badges.filter(({ elementId }) => this.has(elementId)).map((each) => [JSON.stringify(each), each]));
    for (const [key, id] of this.badges) {
      if (wanted.has(key)) continue;
      this.overlays.remove(id);
      this.badges.delete(key);
    }
    for (const [key, each] of wanted) {
      if (!this.badges.has(key)) this.badges.set(key, this.overlays.add(each.elementId, TYPE, { position: POSITIONS[each.position], html: draw(each) }));
    }
  }

  select(elementId: string | undefined): void {
    if (this.selected !== undefined && this.has(this.selected)) this.canvas.removeMarker(this.selected, SELECTED);
    this.selected = elementId;
    if (elementId === undefined || !this.has(elementId)) return;
    this.canvas.addMarker(elementId, SELECTED);
    this.canvas.scrollToElement(elementId, 60);
  }

  destroy(): void {
    this.observer.disconnect();
    this.viewer.destroy();
  }

  private each(id: string, classes: string, change: 'addMarker' | 'removeMarker'): void {
    if (!this.has(id)) return;
    for (const name of classes.split(' ')) this.canvas[change](id, name);
  }

  private get canvas(): Canvas {
    return this.viewer.get('canvas');
  }

  private get overlays(): Overlays {
    return this.viewer.get('overlays');
  }

  private get registry(): Registry {
    return this.viewer.get('elementRegistry');
  }
}

function draw({ text, className, title }: DiagramBadge): HTMLElement {
  const node = document.createElement('div');
  node.className = `cs-diagram-badge ${className}`;
  node.textContent = text;
  if (title !== undefined) node.title = title;
  return node;
}
