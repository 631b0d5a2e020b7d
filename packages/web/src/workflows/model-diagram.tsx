import { BpmnDiagram } from '@countersign/inbox-ui/diagram/bpmn-diagram';
import { Alert } from '@mantine/core';
import { useState, type ComponentProps } from 'react';
import { texts } from '../texts/index.js';
import './workflows.css';

type ModelDiagramProps = Omit<ComponentProps<typeof BpmnDiagram>, 'onFailed'>;

/** Shows the diagram of a BPMN model, or a note if it has none; a model can be executed without a diagram. */
export function ModelDiagram(props: ModelDiagramProps) {
  const [failedXml, setFailedXml] = useState<string>();
  if (failedXml === props.xml) return <Alert color="gray">{texts.workflows.noDiagram}</Alert>;
  return <BpmnDiagram {...props} onFailed={() => setFailedXml(props.xml)} />;
}
