import NavigatedViewer from 'bpmn-js/lib/NavigatedViewer';
import { readDefinitions } from './read-definitions.js';

/** A small label on an element. */
export interface DiagramBadge {
  readonly elementId: string;
  readonly position: 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right' | 'bottom-center';
  /** Plain text: content from BPMN models and runs is never markup. */
  readonly text: string;
  readonly className: string;
  /** Longer text, shown on hover. */
  readonly title?: string;
  /** Path of the page that the badge links to. */
  readonly linkTo?: string;
}

/** Functions with which a badge, which is rendered outside React, links to a page. */
export interface DiagramLinks {
  getHref(page: string): string;
  follow(page: string): void;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Canvas {
  addMarker(element: string, marker: string): void;
  removeMarker(element: string, marker: string): void;
  zoom(to: number, center: 'auto'): number;
  viewbox(): Box & {
    readonly scale: number;
    readonly inner: Box;
    readonly outer: { readonly width: number; readonly height: number };
  };
  viewbox(box: Box): void;
  scrollToElement(element: string, padding?: number): void;
  resized(): void;
}

interface Overlays {
  add(element: string, type: string, overlay: { position: object; html: HTMLElement }): string;
  remove(filter: string | { type: string }): void;
}

/** Element of a drawn diagram. A shape has a position and a size, a flow has waypoints. */
interface DrawnElement {
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
  readonly waypoints?: unknown;
}

interface ElementRegistry {
  get(id: string): DrawnElement | undefined;
}

const OVERLAY_TYPE = 'countersign';
const SELECTED_CLASS = 'cs-selected';
/** Maximum zoom when fitting, so that a small diagram is not enlarged. */
const MAX_FIT_ZOOM = 1;
/** Share of the fitting zoom that is used, so that labels at the edges are visible. */
const FIT_RATIO = 0.94;
const ZOOM_STEP = 1.3;
const MIN_ZOOM = 0.1;
const MAX_ZOOM = 4;

/** Colours of the page, so that the dark scheme works too (diagram.css). */
const COLORS = {
  defaultFillColor: 'var(--cs-diagram-fill)',
  defaultStrokeColor: 'var(--cs-diagram-line)',
  defaultLabelColor: 'var(--cs-diagram-text)',
};

const BADGE_POSITIONS: Readonly<Record<DiagramBadge['position'], object>> = {
  'top-left': { top: -11, left: -9 },
  'top-right': { top: -11, right: 14 },
  'bottom-left': { bottom: 9, left: -9 },
  'bottom-right': { bottom: 9, right: 14 },
  'bottom-center': { bottom: -2, left: 0 },
};

/** Wraps the bpmn-js viewer. Compares marks with the current ones and updates only the differences. */
export class DiagramView {
  private readonly viewer: InstanceType<typeof NavigatedViewer>;
  private readonly observer: ResizeObserver;
  private currentMarks = new Map<string, string>();
  private overlayIds = new Map<string, string>();
  private selectedElementId: string | undefined;
  private isOpen = false;
  /** Whether the user has moved the view. If so, resizing keeps the view. */
  private hasUserMoved = false;
  private isFitting = false;

  constructor(
    private readonly container: HTMLElement,
    onSelect: (elementId: string | undefined) => void,
    private readonly links: DiagramLinks,
  ) {
    this.viewer = new NavigatedViewer({
      container,
      bpmnRenderer: COLORS,
      textRenderer: { defaultStyle: { fontFamily: 'Inter, Arial, sans-serif' } },
    } as never);
    this.viewer.on(
      'element.click',
      ({ element }: { element: { id: string; type?: string; parent?: unknown; labelTarget?: { id: string } } }) => {
        onSelect(
          element.parent === undefined || element.parent === null ? undefined : (element.labelTarget?.id ?? element.id),
        );
      },
    );
    this.viewer.on('canvas.viewbox.changed', () => {
      this.hasUserMoved ||= this.isOpen && !this.isFitting;
    });
    this.observer = new ResizeObserver(() => {
      if (!this.hasUserMoved) this.fit();
    });
    this.observer.observe(container);
  }

  /**
   * Draws a diagram.
   *
   * @throws {Error} if the XML cannot be drawn
   */
  async open(xml: string): Promise<void> {
    const definitions = await readDefinitions(xml);
    await this.viewer.importDefinitions(definitions as never);
    this.isOpen = true;
    this.fit();
  }

  hasElement(elementId: string): boolean {
    return this.registry.get(elementId) !== undefined;
  }

  /** Shows the whole diagram, as large as is readable. */
  fit(): void {
    if (!this.isOpen || this.container.clientWidth === 0) return;
    this.isFitting = true;
    this.canvas.resized();
    // Sets the view in one step, because labels are laid out again at each scale.
    const { outer, inner } = this.canvas.viewbox();
    const scale = Math.min(MAX_FIT_ZOOM, outer.width / inner.width, outer.height / inner.height) * FIT_RATIO;
    const [width, height] = [outer.width / scale, outer.height / scale];
    this.canvas.viewbox({
      x: inner.x + (inner.width - width) / 2,
      y: inner.y + (inner.height - height) / 2,
      width,
      height,
    });
    this.isFitting = false;
    this.hasUserMoved = false;
  }

  zoom(direction: 'in' | 'out'): void {
    if (!this.isOpen) return;
    const { scale } = this.canvas.viewbox();
    this.canvas.zoom(
      Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, direction === 'in' ? scale * ZOOM_STEP : scale / ZOOM_STEP)),
      'auto',
    );
  }

  setMarks(marks: ReadonlyMap<string, string>): void {
    for (const [id, classes] of this.currentMarks)
      if (marks.get(id) !== classes) this.updateMarkers(id, classes, 'removeMarker');
    for (const [id, classes] of marks)
      if (this.currentMarks.get(id) !== classes) this.updateMarkers(id, classes, 'addMarker');
    this.currentMarks = new Map(marks);
  }

  setBadges(badges: readonly DiagramBadge[]): void {
    const newBadges = new Map(
      badges.filter(({ elementId }) => this.hasElement(elementId)).map((each) => [JSON.stringify(each), each]),
    );
    for (const [key, id] of this.overlayIds) {
      if (newBadges.has(key)) continue;
      this.overlays.remove(id);
      this.overlayIds.delete(key);
    }
    for (const [key, each] of newBadges) {
      if (!this.overlayIds.has(key))
        this.overlayIds.set(
          key,
          this.overlays.add(each.elementId, OVERLAY_TYPE, {
            position: BADGE_POSITIONS[each.position],
            html: createBadgeElement(each, this.links),
          }),
        );
    }
  }

  select(elementId: string | undefined): void {
    if (this.selectedElementId !== undefined && this.hasElement(this.selectedElementId))
      this.canvas.removeMarker(this.selectedElementId, SELECTED_CLASS);
    this.selectedElementId = elementId;
    if (elementId === undefined || !this.hasElement(elementId)) return;
    this.canvas.addMarker(elementId, SELECTED_CLASS);
    // An element that is already visible does not move.
    if (!this.isInView(elementId)) this.canvas.scrollToElement(elementId, 60);
  }

  destroy(): void {
    this.observer.disconnect();
    this.viewer.destroy();
  }

  private isInView(elementId: string): boolean {
    const view = this.canvas.viewbox();
    const { x, y, width, height, waypoints } = this.registry.get(elementId) ?? {};
    if (waypoints !== undefined || x === undefined || y === undefined || width === undefined || height === undefined)
      return true;
    return x >= view.x && y >= view.y && x + width <= view.x + view.width && y + height <= view.y + view.height;
  }

  private updateMarkers(id: string, classes: string, change: 'addMarker' | 'removeMarker'): void {
    if (!this.hasElement(id)) return;
    for (const name of classes.split(' ')) this.canvas[change](id, name);
  }

  private get canvas(): Canvas {
    return this.viewer.get('canvas');
  }

  private get overlays(): Overlays {
    return this.viewer.get('overlays');
  }

  private get registry(): ElementRegistry {
    return this.viewer.get('elementRegistry');
  }
}

function createBadgeElement({ text, className, title, linkTo }: DiagramBadge, links: DiagramLinks): HTMLElement {
  const node = linkTo === undefined ? document.createElement('div') : createLink(linkTo, title, links);
  node.className = `cs-diagram-badge ${className}`;
  node.textContent = text;
  if (title !== undefined) node.title = title;
  return node;
}

/**
 * Creates a link that is outside the tab order, like the whole diagram: its target is also available outside the
 * diagram.
 */
function createLink(path: string, label: string | undefined, { getHref, follow }: DiagramLinks): HTMLElement {
  const node = document.createElement('a');
  node.href = getHref(path);
  node.tabIndex = -1;
  if (label !== undefined) node.ariaLabel = label;
  node.addEventListener('click', (event) => {
    event.stopPropagation();
    // The browser itself opens links in other tabs or windows.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    follow(path);
  });
  return node;
}
