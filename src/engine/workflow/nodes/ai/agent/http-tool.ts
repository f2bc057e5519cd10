import { valueFault } from '../../../../json-schema/value-fault.js';
import { isObject } from '../../../../json-value.js';
import { asResolved, validateValue } from '../../../graph/settings.js';
import { contentOfResponse, httpSettings, sendRequest } from '../../data/http.js';
import type { ToolSettings } from './settings.js';
import { type AgentTool, executeCall, type ToolContext, toolFailure } from './tool.js';

const request = httpSettings(asResolved);

/** A tool that sends an HTTP request with the arguments of the call. */
export function httpTool(settings: Extract<ToolSettings, { kind: 'http' }>, { ports, steps }: ToolContext): AgentTool {
  const parameters = { type: 'object', ...settings.parameters };
  const properties = settings.parameters?.properties;
  const declared = new Set(isObject(properties) ? Object.keys(properties) : []);
  return {
    name: settings.name,
    isNameFixed: true,
    description: settings.description ?? '',
    parameters,
    faultOf: args => valueFault(args, parameters),
    call: (step, args) =>
      steps.call(step, call =>
        executeCall(call, async () => {
          const validated = validateValue(request, settings.request.render({ values: args, declared }));
          if (!validated.ok)
            return toolFailure(validated.faults.map(({ path, message }) => `${path} ${message}`).join('; '));
          const answer = await sendRequest(validated.value, ports, call);
          const { status } = answer;
          const isFailure = status >= 400 && (validated.value.fail_on_error_status ?? true);
          return isFailure
            ? toolFailure(`the server answered with status ${status}\n${answer.body}`)
            : contentOfResponse(answer, validated.value, ports, call);
        }),
      ),
  };
}
