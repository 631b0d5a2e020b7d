import { Box, Text } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { useEffect, useMemo, useState } from 'react';
import { BpmnDiagram } from '../diagram/bpmn-diagram.js';
import { texts } from '../texts/index.js';

const t = texts.approvals;
const NO_BADGES: readonly never[] = [];
/** In px: the smallest height of a diagram. */
const DIAGRAM_HEIGHT = 220;
/** Time without a key press after which the diagram is drawn: drawing a large BPMN model blocks the keyboard. */
const DRAW_DELAY_MS = 300;

/** The workflow diagram with the approval's step highlighted. */
export function StepInWorkflow({
  approval: { elementId },
  bpmnXml,
}: {
  readonly approval: Approval;
  readonly bpmnXml: string;
}) {
  const [failedXml, setFailedXml] = useState<string>();
  const isIdle = useIdle(DRAW_DELAY_MS);
  const marks = useMemo(() => new Map([[elementId, 'cs-waiting']]), [elementId]);
  if (failedXml === bpmnXml) {
    return (
      <Text size="sm" c="dimmed">
        {t.diagramFailed}
      </Text>
    );
  }
  return (
    <Box h={DIAGRAM_HEIGHT}>
      {isIdle && (
        <BpmnDiagram
          xml={bpmnXml}
          label={t.diagram(elementId)}
          marks={marks}
          badges={NO_BADGES}
          onFailed={() => setFailedXml(bpmnXml)}
        />
      )}
    </Box>
  );
}

/** Returns whether the component has been displayed for this time without a key press. */
function useIdle(ms: number): boolean {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => {
    if (isIdle) return undefined;
    const startTimer = (): ReturnType<typeof setTimeout> => setTimeout(() => setIsIdle(true), ms);
    let timer = startTimer();
    const restartTimer = (): void => {
      clearTimeout(timer);
      timer = startTimer();
    };
    window.addEventListener('keydown', restartTimer, { capture: true });
    return () => {
      window.removeEventListener('keydown', restartTimer, { capture: true });
      clearTimeout(timer);
    };
  }, [isIdle, ms]);
  return isIdle;
}
