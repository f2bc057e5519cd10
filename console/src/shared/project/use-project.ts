import { useParams } from '@tanstack/react-router';

/** The id of the project in the address. Null on screens without a project. */
export function useProjectIdOrNull(): number | null {
  const { projectId } = useParams({ strict: false }) as { projectId?: string };
  const id = Number(projectId);
  return Number.isInteger(id) && id > 0 ? id : null;
}

/** The id of the project in the address. Only for screens below `/projects/$projectId`. */
export function useProjectId(): number {
  const id = useProjectIdOrNull();
  if (id === null) throw new Error('This screen belongs to a project, and the address names none.');
  return id;
}

const STORAGE_KEY = 'scenarium:last-project';

/** The project that was open last in this browser. Null: none was. */
export function lastProjectId(): number | null {
  return Number(localStorage.getItem(STORAGE_KEY)) || null;
}

export function rememberProject(id: number): void {
  localStorage.setItem(STORAGE_KEY, String(id));
}
