import { Box, Text } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { useMemo, useState } from 'react';
import { BpmnDiagram } from '../diagram/bpmn-diagram.js';
import { texts } from '../texts/index.js';

const t = texts.approvals;
const NO_BADGES: readonly never[] = [];

/** The workflow with the step highlighted that asks. */
export function StepInWorkflow({ approval: { elementId }, bpmnXml }: { readonly approval: Approval; readonly bpmnXml: string }) {
  const [failed, setFailed] = useState<string>();
  const marks = useMemo(() => new Map([[elementId, 'cs-waiting']]), [elementId]);
  if (failed === bpmnXml) {
    return (
      <Text size="sm" c="dimmed">
        {t.diagramFailed}
      </Text>
    );
  }
  return (
    <Box h={190}>
      <BpmnDiagram xml={bpmnXml} label={t.diagram(elementId)} marks={marks} badges={NO_BADGES} onFailed={() => setFailed(bpmnXml)} />
    </Box>
  );
}
