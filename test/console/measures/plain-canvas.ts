import { build } from 'esbuild';
import type { Page } from 'playwright-core';

/** The smallest program with React Flow: nodes of its own kind without minimap, icons or checks. */
const PROGRAM = `
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { ReactFlow, useNodesState } from '@xyflow/react';
import '@xyflow/react/dist/style.css';

const { nodes: first, edges } = window.sample;
function Canvas() {
  const [nodes, , onNodesChange] = useNodesState(first);
  return createElement(ReactFlow, { nodes, edges, onNodesChange, panOnScroll: true, fitView: true, minZoom: 0.05, onlyRenderVisibleElements: true });
}
createRoot(document.getElementById('root')).render(createElement(Canvas));
`;

export interface PlainGraph {
  nodes: { id: string; position: { x: number; y: number } }[];
  edges: { id: string; source: string; target: string }[];
}

/** Opens a page with only the library, so that a measure shows what the console adds. */
export async function openPlainCanvas(page: Page, address: string, graph: PlainGraph): Promise<void> {
  const { outputFiles } = await build({
    stdin: { contents: PROGRAM, resolveDir: process.cwd() },
    bundle: true,
    write: false,
    minify: true,
    outdir: 'out',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  // The size of a node of the editor (console/src/features/editor/model/layout.ts).
  const nodes = graph.nodes.map(({ id, position }) => ({ id, position, width: 224, height: 60, data: { label: id } }));
  const body = `<!doctype html><style>${textOf('.css')} html, body, #root { height: 100%; margin: 0 }</style>
    <div id="root"></div>
    <script>window.sample = ${JSON.stringify({ nodes, edges: graph.edges })}</script>
    <script>${textOf('.js').replaceAll('</script', '<\\/script')}</script>`;
  await page.route(address, route => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(address);
  await page.locator('.react-flow__node').first().waitFor();
}
