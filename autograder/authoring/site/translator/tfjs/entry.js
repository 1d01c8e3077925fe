// What the translator uses of TensorFlow.js: these operations, on the backend of plain JavaScript.
// `npm install && npm run build` in this folder writes ../tfjs.js.
import { registerKernel } from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu/dist/base";
import { addConfig } from "@tensorflow/tfjs-backend-cpu/dist/kernels/Add";
import { batchMatMulConfig } from "@tensorflow/tfjs-backend-cpu/dist/kernels/BatchMatMul";
import { castConfig } from "@tensorflow/tfjs-backend-cpu/dist/kernels/Cast";
import { gatherV2Config } from "@tensorflow/tfjs-backend-cpu/dist/kernels/GatherV2";
import { identityConfig } from "@tensorflow/tfjs-backend-cpu/dist/kernels/Identity";
import { meanConfig } from "@tensorflow/tfjs-backend-cpu/dist/kernels/Mean";
import { multiplyConfig } from "@tensorflow/tfjs-backend-cpu/dist/kernels/Multiply";
import { realDivConfig } from "@tensorflow/tfjs-backend-cpu/dist/kernels/RealDiv";
import { reluConfig } from "@tensorflow/tfjs-backend-cpu/dist/kernels/Relu";
import { reshapeConfig } from "@tensorflow/tfjs-backend-cpu/dist/kernels/Reshape";
import { rsqrtConfig } from "@tensorflow/tfjs-backend-cpu/dist/kernels/Rsqrt";
import { softmaxConfig } from "@tensorflow/tfjs-backend-cpu/dist/kernels/Softmax";
import { subConfig } from "@tensorflow/tfjs-backend-cpu/dist/kernels/Sub";
import { sumConfig } from "@tensorflow/tfjs-backend-cpu/dist/kernels/Sum";
import { transposeConfig } from "@tensorflow/tfjs-backend-cpu/dist/kernels/Transpose";

[
  addConfig, batchMatMulConfig, castConfig, gatherV2Config, identityConfig, meanConfig,
  multiplyConfig, realDivConfig, reluConfig, reshapeConfig, rsqrtConfig, softmaxConfig, subConfig,
  sumConfig, transposeConfig,
].forEach(registerKernel);

export {
  add, gather, matMul, mean, mul, relu, reshape, rsqrt, setBackend, softmax, sub, tensor,
  tidy, transpose,
} from "@tensorflow/tfjs-core";
