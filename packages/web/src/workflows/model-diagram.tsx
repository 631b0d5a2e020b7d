import { BpmnDiagram } from '@countersign/inbox-ui/diagram/bpmn-diagram';
import { Alert } from '@mantine/core';
import { useState, type ComponentProps } from 'react';
import { texts } from '../texts/index.js';
import './workflows.css';

type ModelDiagramProps = Omit<ComponentProps<typeof BpmnDiagram>, 'onFailed'>;

/** A diagram, or a word on why there is none: a model may run and yet say nothing of how it is drawn. */
export function ModelDiagram(props: ModelDiagramProps) {
  const [failed, setFailed] = useState<string>();
  if (failed === props.xml) return <Alert color="gray">{texts.workflows.noDiagram}</Alert>;
  return <BpmnDiagram {...props} onFailed={() => setFailed(props.xml)} />;
}
