import process from 'node:process';
import { generateFiles } from '../../rest-compat/generate.js';
import { nodeListing } from '../engine/workflow/nodes/listing.js';

// The OpenAPI document contains the settings of each kind of node, which rest-compat cannot import.
process.exitCode = await generateFiles(process.argv.slice(2), nodeListing());
