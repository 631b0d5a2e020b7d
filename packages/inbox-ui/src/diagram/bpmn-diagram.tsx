import { ActionIcon, Box, Tooltip } from '@mantine/core';
import { IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useActionKeys, useShortcuts } from '../keys/keys-provider.js';
import { texts } from '../texts/index.js';
import { DiagramView, type DiagramBadge, type DiagramLinks } from './diagram-view.js';
import 'bpmn-js/dist/assets/diagram-js.css';
import 'bpmn-js/dist/assets/bpmn-js.css';
import 'bpmn-js/dist/assets/bpmn-font/css/bpmn.css';
import './diagram.css';
import './diagram-layout.css';

export interface BpmnDiagramProps {
  readonly xml: string;
  /** Describes the diagram for screen readers; the same content is in a tree or table next to it. */
  readonly label: string;
  /** CSS classes of shapes and flows by element id: `cs-done`, `cs-active`, `cs-waiting`, … (diagram.css). */
  readonly marks: ReadonlyMap<string, string>;
  /** Small labels on elements: counts, durations, tokens. */
  readonly badges: readonly DiagramBadge[];
  readonly selected?: string | undefined;
  /** Functions with which badges link to pages. */
  readonly links?: DiagramLinks;
  onSelect?(elementId: string | undefined): void;
  onFailed?(error: unknown): void;
}

/**
 * A read-only BPMN diagram with marks that change without redrawing. Its shapes are not focusable (bpmn-js), so every
 * click action must also be available outside the diagram.
 */
export function BpmnDiagram({ xml, label, marks, badges, selected, links, onSelect, onFailed }: BpmnDiagramProps) {
  const container = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<DiagramView>();
  const handlers = useRef({ links, onSelect, onFailed });
  handlers.current = { links, onSelect, onFailed };

  useEffect(() => {
    if (container.current === null) return undefined;
    const newView = new DiagramView(container.current, (elementId) => handlers.current.onSelect?.(elementId), {
      getHref: (page) => handlers.current.links?.getHref(page) ?? '',
      follow: (page) => handlers.current.links?.follow(page),
    });
    let isUnmounted = false;
    newView.open(xml).then(
      () => !isUnmounted && setView(newView),
      // Under StrictMode the first viewer is destroyed while it reads: that failure is ignored.
      (error: unknown) => !isUnmounted && handlers.current.onFailed?.(error),
    );
    return () => {
      isUnmounted = true;
      setView(undefined);
      newView.destroy();
    };
  }, [xml]);

  useEffect(() => view?.setMarks(marks), [view, marks]);
  useEffect(() => view?.setBadges(badges), [view, badges]);
  useEffect(() => view?.select(selected), [view, selected]);

  const controls = [
    {
      action: 'diagram.zoomIn',
      keys: useActionKeys('diagram.zoomIn'),
      label: texts.diagram.zoomIn,
      icon: IconPlus,
      run: () => view?.zoom('in'),
    },
    {
      action: 'diagram.zoomOut',
      keys: useActionKeys('diagram.zoomOut'),
      label: texts.diagram.zoomOut,
      icon: IconMinus,
      run: () => view?.zoom('out'),
    },
    {
      action: 'diagram.fit',
      keys: useActionKeys('diagram.fit'),
      label: texts.diagram.fit,
      icon: IconMaximize,
      run: () => view?.fit(),
    },
  ];
  useShortcuts(controls);

  return (
    <Box className="cs-diagram-frame">
      <Box ref={container} className="cs-diagram" role="figure" aria-label={label} data-ready={view !== undefined} />
      <ActionIcon.Group className="cs-diagram-controls">
        {controls.map(({ action, keys, label: name, icon: Icon, run }) => (
          <Tooltip key={action} label={name} openDelay={400}>
            <ActionIcon variant="default" size={30} aria-label={name} aria-keyshortcuts={keys} onClick={run}>
              <Icon size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        ))}
      </ActionIcon.Group>
    </Box>
  );
}
