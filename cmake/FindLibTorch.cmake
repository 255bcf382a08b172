# Headers and libraries of a LibTorch for what runs in our own process (icount itself links none). Looked for below
# ICOUNT_TORCH_ROOT and in the system's places; gives LibTorch_FOUND and the target icount_libtorch. Not LibTorch's own
# package file: that one sets global flags and asks for CUDA.
set(ICOUNT_TORCH_ROOT "" CACHE PATH "Root of a LibTorch (include/ and lib/ below it); empty: the system's")
find_path(ICOUNT_TORCH_INCLUDE ATen/core/Tensor.h HINTS ${ICOUNT_TORCH_ROOT}/include)
find_library(ICOUNT_TORCH_CPU torch_cpu HINTS ${ICOUNT_TORCH_ROOT}/lib)
find_library(ICOUNT_TORCH_C10 c10 HINTS ${ICOUNT_TORCH_ROOT}/lib)
mark_as_advanced(ICOUNT_TORCH_INCLUDE ICOUNT_TORCH_CPU ICOUNT_TORCH_C10)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch REQUIRED_VARS ICOUNT_TORCH_INCLUDE ICOUNT_TORCH_CPU ICOUNT_TORCH_C10)

if(LibTorch_FOUND AND NOT TARGET icount_libtorch)
  add_library(icount_libtorch INTERFACE)
  target_include_directories(icount_libtorch SYSTEM INTERFACE
    ${ICOUNT_TORCH_INCLUDE} ${ICOUNT_TORCH_INCLUDE}/torch/csrc/api/include)
  target_link_libraries(icount_libtorch INTERFACE ${ICOUNT_TORCH_CPU} ${ICOUNT_TORCH_C10})
  # clang reads the headers of LibTorch 1.13 as C++20 only in this order: List.h destroys a vector of IValue, not yet defined there.
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(icount_libtorch INTERFACE "SHELL:-include ATen/core/ivalue.h")
  endif()
endif()
