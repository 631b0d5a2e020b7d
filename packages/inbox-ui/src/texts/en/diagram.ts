export const diagram = {
  title: 'Diagram',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Show all of the diagram',
} as const;
