# icount::cuda_timer, a library of its own so that nothing else ever links the CUDA runtime: the real one where a CUDA
# compiler is found (ICOUNT_WITH_CUDA=AUTO), one that says why not elsewhere.
set(ICOUNT_WITH_CUDA ${ICOUNT_AUTO} CACHE STRING "Build the CUDA timer: AUTO, ON or OFF")
set_property(CACHE ICOUNT_WITH_CUDA PROPERTY STRINGS AUTO ON OFF)

if(ICOUNT_WITH_CUDA)
  include(CheckLanguage)
  if(NOT CMAKE_CUDA_COMPILER)
    find_program(CMAKE_CUDA_COMPILER nvcc PATHS /usr/local/cuda/bin)
  endif()
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 75-virtual)  # one PTX, made into code for any later device at run time
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
  elseif(ICOUNT_WITH_CUDA STREQUAL ON)
    message(FATAL_ERROR "ICOUNT_WITH_CUDA=ON, but no CUDA compiler (nvcc) was found")
  endif()
endif()

if(ICOUNT_WITH_CUDA AND CMAKE_CUDA_COMPILER)
  add_library(icount_cuda_timer STATIC timer/cuda_timer_cuda.cu)
  set_target_properties(icount_cuda_timer PROPERTIES CUDA_STANDARD 17 CUDA_RUNTIME_LIBRARY Static)
else()
  add_library(icount_cuda_timer STATIC timer/cuda_timer_none.cc)
endif()
add_library(icount::cuda_timer ALIAS icount_cuda_timer)
target_link_libraries(icount_cuda_timer PUBLIC icount::base icount::stats)
